/** The generated files, by their paths from the root. They are made from the program, the README and the results of the map. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { featuresPage } from '../../map/features-page.ts';
import { engines, renderList } from '../../migrations.ts';
import { operations } from '../../src/app/app.ts';
import { lazy } from '../../src/base/lazy.ts';
import { createDocument } from '../../src/document/document.ts';
import { toOpenApi30 } from '../../src/document/openapi-3.0.ts';
import { toOpenApi32 } from '../../src/document/openapi-3.2.ts';
import { toYaml } from '../../src/document/yaml.ts';
import { renderArchitecture } from './architecture.ts';
import { renderCommandLine } from './command-line.ts';
import { renderConsole } from './console.ts';
import { renderExercises } from './exercises.ts';
import { renderInbox } from './inbox.ts';
import { renderLesson } from './lesson.ts';
import { renderLessonPage } from './lesson-page.ts';
import { lessons } from './lessons.ts';
import { renderLessonsPage } from './lessons-page.ts';
import { renderLimits } from './limits.ts';
import { renderMetrics } from './metrics.ts';
import { renderSamplePicture } from './sample-picture.ts';
import { renderSettings } from './settings.ts';
import { renderTerminal } from './terminal.ts';

/** The pages of the lessons show lines of them, so each is rendered once. */
const documents: Readonly<Record<string, () => string>> = {
  'openapi/openapi.yaml': lazy(() => toYaml(createDocument(operations))),
  'openapi/openapi-3.0.json': lazy(() => toFile(toOpenApi30(createDocument(operations)))),
  'openapi/openapi-3.2.json': lazy(() => toFile(toOpenApi32(createDocument(operations)))),
  'openapi/lesson.yaml': lazy(renderLesson),
};

const root = join(import.meta.dirname, '../..');

/** Those that the lessons show, and that somebody wrote. */
const writtenDocuments = Object.fromEntries(
  ['openapi/arazzo.yaml', 'docs/learn/more.yaml'].map((path) => [path, () => readFileSync(join(root, path), 'utf8')]),
);

export const pages: Readonly<Record<string, () => string | Promise<string>>> = {
  'docs/architecture.md': renderArchitecture,
  'docs/command-line.md': renderCommandLine,
  'docs/limits.md': renderLimits,
  'docs/metrics.md': renderMetrics,
  'docs/settings.md': renderSettings,
  'docs/terminal.svg': renderTerminal,
  'map/FEATURES.md': featuresPage,
  ...documents,
  ...Object.fromEntries(
    ['README.md', ...lessons.map(({ file }) => file), 'from-3.0.md'].map((file) => [
      `docs/learn/${file}`,
      () => renderLessonPage(file, { ...documents, ...writtenDocuments }),
    ]),
  ),
  'src/cli/check/exercises.json': renderExercises,
  'src/plants/monstera.json': renderSamplePicture,
  // The folder can be removed.
  ...(existsSync(join(root, 'console')) && {
    'src/demo/inbox/page.json': renderInbox,
    'src/pages/console.json': renderConsole,
    'src/pages/lessons.json': renderLessonsPage,
  }),
  ...Object.fromEntries(engines.map((engine) => [`${engine.folder}.json`, () => renderList(engine)])),
};

const toFile = (document: unknown): string => `${JSON.stringify(document, null, 2)}\n`;

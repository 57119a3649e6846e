/** The lessons of docs/learn/: a reader pastes each command into a terminal and makes each edit, beside one demo. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { copyFileSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withoutBlocks } from '../../docs/pages/lesson-page.ts';
import { lessons } from '../../docs/pages/lessons.ts';
import { type Step, stepsOf } from '../../docs/pages/session.ts';
import { demoToken } from '../../src/tokens/sample.ts';
import { applyEdit } from '../support/edit.ts';
import { temporaryFolder } from '../support/folder.ts';
import { freePort } from '../support/network/port.ts';
import { follow } from '../support/programs/follow.ts';
import { type RunningServer, startDemo, underTest } from '../support/programs/process.ts';
import { openTerminal, type Terminal } from '../support/programs/terminal.ts';
import { read } from '../support/project/imports.ts';

const root = join(import.meta.dir, '../..');
const waitMsMax = 120_000;

let demo: RunningServer;
beforeAll(async () => {
  demo = await startDemo();
});
afterAll(() => demo[Symbol.asyncDispose]());

const stepsIn = (file: string): Step[] => stepsOf(withoutBlocks(read(`docs/learn/${file}`)), 2);

/** The index, and each lesson behind it, since the index sets the token. The lessons run the binary, which starts in half the time. */
const sessions = ['README.md', ...lessons.map(({ file }) => file)].map((file) =>
  file === 'README.md'
    ? { file, program: 'bun src/main.ts', steps: stepsIn(file) }
    : { file, program: underTest.join(' '), steps: [...stepsIn('README.md').slice(0, 1), ...stepsIn(file)] },
);

test.each(sessions)(
  'every command and edit of docs/learn/$file has the output that the page shows',
  async ({ program, steps }) => {
    expect(steps.filter(({ kind }) => kind === 'output').length).toBeGreaterThan(0);
    using folder = temporaryFolder();
    for (const name of readdirSync(root)) symlinkSync(join(root, name), folder.file(name));
    copyFileSync(join(root, 'openapi/lesson.yaml'), folder.file('my.yaml'));
    await using terminals = new AsyncDisposableStack();
    const opened = new Map<number, Terminal>();
    const env = { PATH: `${process.env['PATH']}`, HOME: folder.path, TERM: 'dumb', NO_COLOR: '1' };
    const ports: Readonly<Record<string, number>> = { 3000: demo.port, 4000: await freePort() };

    await reset();
    for (const { terminal: number, kind, text } of steps) {
      if (kind === 'edit') {
        writeFileSync(folder.file('my.yaml'), applyEdit(readFileSync(folder.file('my.yaml'), 'utf8'), text));
        continue;
      }
      const terminal = opened.get(number) ?? terminals.use(await openTerminal({ cwd: folder.path, env }));
      opened.set(number, terminal);
      await follow(
        terminal,
        kind,
        withProgram(text, program).replaceAll(/(?<=127\.0\.0\.1:|--port )[34]000/g, (port) => `${ports[port]}`),
        waitMsMax,
      );
    }
  },
);

/** Without npm, as the index says. The output shows whether a check has succeeded; a wrong use fails the command. */
const withProgram = (commands: string, program: string): string =>
  commands.replaceAll('npx --yes bun@1.4.5', 'bun').replace('bun src/main.ts "$@"', `${program} "$@" || [ $? = 1 ]`);

const reset = async (): Promise<void> => {
  const { status } = await fetch(`${demo.url}/__demo/reset`, {
    method: 'POST',
    headers: { authorization: `Bearer ${demoToken}` },
  });
  expect(status).toBe(204);
};

test('every command of a lesson has its output behind it, and every edit a command that checks it', () => {
  for (const { file, steps } of sessions.slice(1))
    for (const [index, { kind, text }] of steps.slice(1).entries()) {
      const next = steps[index + 2]?.kind;
      expect([file, text, next]).toEqual([file, text, kind === 'output' ? next : expectedAfter(kind, next)]);
    }
});

/** Edits may follow each other. */
const expectedAfter = (kind: Step['kind'], next: Step['kind'] | undefined): Step['kind'] =>
  kind === 'commands' ? 'output' : next === 'edit' ? 'edit' : 'commands';

test('every lesson has the same parts, and fits on a screen', () => {
  const parts = ['The document', 'Try it', 'In OpenAPI 3.0', 'Specification', 'Tools', 'Exercise'];
  for (const { file } of lessons) {
    const page = read(`docs/learn/${file}`);
    expect([file, [...page.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)]).toEqual([file, parts]);
    const [shown = ''] = page.split('<details>');
    expect([file, shown.split('\n').length < 110]).toEqual([file, true]);
  }
});

test('the lessons are the files of the folder, with their numbers', () => {
  const files = readdirSync(join(root, 'docs/learn')).filter((name) => /^\d/.test(name));
  expect(files.sort()).toEqual(lessons.map(({ file }) => file));
  for (const [index, { file }] of lessons.entries()) expect(read(`docs/learn/${file}`)).toStartWith(`# ${index + 1}. `);
});

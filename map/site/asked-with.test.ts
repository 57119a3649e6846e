/** The page of a tool shows how it is asked: an option that an adapter sets, and that its page does not show, is a defect. */
import { expect, test } from 'bun:test';
import { readAdapters } from '../measure/adapter.ts';
import { readMapData } from '../measure/data.ts';
import { readNamedFiles } from '../measure/files.ts';
import { packagesOf, sourcesOf, waysOf } from './asked-with.tsx';
import { renderToolPage } from './tool-page.tsx';

const [data, named, adapters] = await Promise.all([readMapData(), readNamedFiles(), readAdapters()]);
const blockOf = (id: string): string => {
  const tool = data.tools.find((one) => one.id === id);
  const page = tool && renderToolPage(tool, data, { named, url: '' });
  return /<section class="asked">[\s\S]*?<\/section>/.exec(page ?? '')?.[0] ?? '';
};

const codeOf = (path: string): string => (named.get(path) ?? '').replaceAll(/^\s*\/\/.*$|\/\*[\s\S]*?\*\//gm, '');

const summaryOf = (id: string): string => {
  const tool = data.tools.find((one) => one.id === id);
  const notes = tool?.notes ?? [];
  const written = Object.values(
    Object.fromEntries(
      tool?.verdicts.flatMap(({ checks }) => checks.flatMap((one) => Object.entries(one.files ?? {}))) ?? [],
    ),
  ).map((key) => named.get(`files/${id}/${key}`));
  return tool === undefined ? '' : [...waysOf(tool), ...packagesOf(tool), ...notes, ...written].join('\n');
};

test.each(adapters.map(({ id }) => [id]))('the page of %s has its adapter, and all that it imports', (id) => {
  const block = blockOf(id);
  const [own = '', ...shared] = sourcesOf(id, named);
  const shown = block
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"');
  const plain = shown.replaceAll('&#39;', "'").replaceAll('&amp;', '&').replaceAll(/\s+/g, ' ');
  expect(own).toBe(`adapters/${id}.ts`);
  expect(plain).toContain((named.get(own) ?? 'none').trim().replaceAll(/\s+/g, ' '));
  for (const path of shared) expect(block).toContain(`href="../${path}"`);
});

/** Words in quotes that begin with a dash. */
const optionsIn = (code: string): string[] => [
  ...new Set([...code.matchAll(/['"`](--?[a-z][\w-]*)/gi)].map(([, option = '']) => option)),
];

/** The names in an object that is given to a constructor: `new Ajv({ strict: false })`. */
const settingsIn = (code: string): string[] =>
  [...code.matchAll(/\bnew [A-Z]\w*\(\s*\{([^{}]*)\}/g)].flatMap(([, inside = '']) =>
    inside.split(',').flatMap((part) => /^\s*(\w+)\s*(?::|$)/.exec(part)?.[1] ?? []),
  );

/** They change no answer: Specmatic starts faster, and asks no other host; where Ajv prints, and how a client of MCP names itself. */
const plain = [
  'specmatic -XX',
  'specmatic -Dhttp',
  'specmatic -D',
  'ajv logger',
  'fastify-openapi-glue logger',
  'openapi-mcp-generator name',
  'openapi-mcp-generator version',
];

test.each([
  ['option of a command', optionsIn],
  ['setting of a class of the tool', settingsIn],
] as const)('each %s that an adapter sets is on its page in words', (_what, namesIn) => {
  const hidden = adapters.flatMap(({ id }) => {
    const summary = summaryOf(id);
    return namesIn(codeOf(`adapters/${id}.ts`))
      .filter((name) => !summary.includes(name))
      .map((name) => `${id} ${name}`)
      .filter((name) => !plain.includes(name));
  });
  expect(hidden).toEqual([]);
});

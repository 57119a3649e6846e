/** The page of a tool shows how it is asked: an option that an adapter sets, and that its page does not show, is a defect. */
import { expect, test } from 'bun:test';
import { readAdapters } from '../measure/adapter.ts';
import { readMapData } from '../measure/data.ts';
import { readNamedFiles } from '../measure/files.ts';
import { lookedAt, packagesOf, sourcesOf, waysOf } from './asked-with.tsx';
import { renderToolPage } from './tool-page.tsx';

const [data, named, adapters] = await Promise.all([readMapData(), readNamedFiles(), readAdapters()]);
const blockOf = (id: string): string => {
  const tool = data.tools.find((one) => one.id === id);
  const page = tool && renderToolPage(tool, data, { named, url: '' });
  return /<section class="asked">[\s\S]*?<\/section>/.exec(page ?? '')?.[0] ?? '';
};

const codeOf = (path: string): string => (named.get(path) ?? '').replaceAll(/^\s*\/\/.*$|\/\*[\s\S]*?\*\//gm, '');

/** The options that the page says it is asked with. */
const askedWithOf = (id: string): string[] =>
  (lookedAt.get(id) ?? []).flatMap(({ options, result }) => (/\bAsked with\b/.test(result) ? [options] : []));

const summaryOf = (id: string): string => {
  const tool = data.tools.find((one) => one.id === id);
  const notes = tool?.notes ?? [];
  const written = Object.values(
    Object.fromEntries(
      tool?.verdicts.flatMap(({ checks }) => checks.flatMap((one) => Object.entries(one.files ?? {}))) ?? [],
    ),
  ).map((key) => named.get(`files/${id}/${key}`));
  return tool === undefined
    ? ''
    : [...waysOf(tool), ...packagesOf(tool), ...notes, ...written, ...askedWithOf(id)].join('\n');
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

test('each option that a tool is asked with, of those that were looked at, is in its adapter', () => {
  const hidden = [...lookedAt].flatMap(([id, rows]) => {
    const code = sourcesOf(id, named)
      .map((path) => named.get(path) ?? '')
      .join('\n');
    const used = rows.filter(({ result }) => /\bAsked with (?:it|both|all)\b/.test(result));
    const names = used.flatMap(({ options }) => [...options.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
    const words = names.flatMap((name) => name.match(/[\w-]{3,}/g) ?? []);
    return words.filter((word) => !code.includes(word)).map((word) => `${id} ${word}`);
  });
  expect(hidden).toEqual([]);
});

test('the options that were looked at belong to a tool, and are on its page', () => {
  expect([...lookedAt.keys()].filter((id) => !adapters.some((adapter) => adapter.id === id))).toEqual([]);
  for (const [id, rows] of lookedAt) for (const { result } of rows) expect(blockOf(id)).toContain(textOf(result));
});

/** As a page has it: the first words, up to code. */
const textOf = (text: string): string => text.split('`', 1)[0]?.replaceAll("'", '&#39;') ?? '';

/** Words in quotes that begin with a dash. */
const optionsIn = (code: string): string[] => [
  ...new Set([...code.matchAll(/['"`](--?[a-z][\w-]*)/gi)].map(([, option = '']) => option)),
];

/** The names of members, of which some are objects again. */
const membersIn = (text: string): string[] =>
  [...text.matchAll(/(?:^|[\s{,])['"]?(\$?\w+)['"]?:\s/g)].map(([, name = '']) => name);

/**
 * The names in an object that is given to a constructor, to a function of the tool or of its page, or that has a name of its own; the
 * attributes of an element; arguments with a name in Python; and functions in Go and Java that set an option.
 */
const settingsIn = (code: string): string[] => {
  const all = (pattern: RegExp): string[] => [...code.matchAll(pattern)].map(([, inside = '']) => inside);
  const objects = [
    ...all(/\bnew [A-Z]\w*\(\s*(\{(?:[^{}]|\{[^{}]*\})*\})/g),
    ...all(
      /\b(?:middleware|validator|init|createApiReference|SwaggerUIBundle|SwaggerClient)\([^{}()]*(\{(?:[^{}]|\{[^{}]*\})*\})/g,
    ),
    ...all(/^const (?:options|configuration)\b[^=\n]* = (\{[\s\S]*?^\});/gm),
  ];
  const shorthands = objects.flatMap((text) =>
    [...text.matchAll(/[{,]\s*(\w+)(?=\s*[,}])/g)].map(([, name = '']) => name),
  );
  return [
    ...objects.flatMap(membersIn),
    ...shorthands,
    ...all(/<[a-z]+-[a-z]+ ([^>]*)>/g).flatMap((text) => [...text.matchAll(/([\w-]+)=/g)].map(([, name = '']) => name)),
    ...all(/[(,]\s*(\w+)=(?:True|False|None|\{)/g),
    ...all(/[.(\s]((?:With|Enable|Set)[A-Z]\w+|with[A-Z]\w+)\(/g),
  ];
};

/** They change no answer: Specmatic starts faster, and asks no other host; where Ajv prints, and how a client of MCP names itself. */
const plain = [
  'specmatic -XX',
  'specmatic -Dhttp',
  'specmatic -D',
  'ajv logger',
  'fastify-openapi-glue logger',
  'openapi-mcp-generator name',
  'openapi-mcp-generator version',
  // The parts of a request.
  ...['withQueryParam', 'withHeader', 'withContentType', 'withBody'].map((name) => `swagger-request-validator ${name}`),
];

/** How a driver in Python reads a query, and prints and calls what the tool has made. */
const ofDrivers = [
  'by_alias',
  'exclude_unset',
  'exclude_none',
  'keep_blank_values',
  'localns',
  'raise_server_exceptions',
];

test.each([
  ['option of a command', optionsIn],
  ['setting of a class of the tool', settingsIn],
] as const)('each %s that an adapter sets is on its page in words', (_what, namesIn) => {
  const hidden = adapters.flatMap(({ id }) => {
    const summary = summaryOf(id);
    const codes = sourcesOf(id, named)
      .filter((path) => !path.includes('/shared/'))
      .map(codeOf);
    return [...new Set(codes.flatMap(namesIn))]
      .filter((name) => !summary.includes(name) && !ofDrivers.includes(name))
      .map((name) => `${id} ${name}`)
      .filter((name) => !plain.includes(name));
  });
  expect(hidden).toEqual([]);
});

/** `plant-store check`: documents and values, right and wrong, and files that nobody could mean. */
import { describe, expect, test } from 'bun:test';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/folder.ts';
import { runCommand } from '../support/programs/command.ts';
import { runProgram, underTest } from '../support/programs/process.ts';
import { read } from '../support/project/imports.ts';
import { until } from '../support/until.ts';

const openapi = (file: string): string => join(import.meta.dir, '../../openapi', file);
const lesson = read('openapi/lesson.yaml');

/** Runs it on a file with this text. */
const checkText = async (text: string | Uint8Array, ...args: string[]) => {
  using folder = temporaryFolder();
  const file = folder.file('my.yaml');
  writeFileSync(file, text);
  return await runCommand(['check', file, ...args]);
};

test.each([
  ['openapi.yaml', '3.1'],
  ['lesson.yaml', '3.1'],
  ['openapi-3.0.json', '3.0'],
  ['openapi-3.2.json', '3.2'],
])('%s is valid OpenAPI %s', async (file, version) => {
  expect(await runCommand(['check', openapi(file)])).toEqual({
    exitCode: 0,
    stdout: `valid OpenAPI ${version}\n`,
    stderr: '',
  });
});

const head = 'openapi: 3.1.1\ninfo: {title: t, version: "1"}\n';
const withSchema = (schema: string): string => `${head}components: {schemas: {A: ${schema}}}\n`;
const nested = (open: string, close: string, depth: number): string => open.repeat(depth) + close.repeat(depth);

describe('a document that is not valid is refused with the line and the reason', () => {
  test.each([
    [
      'type: [string, null]',
      withSchema('{type: [string, null]}'),
      'line 3: /components/schemas/A/type has null without',
    ],
    ['type: null', withSchema('{type: null}'), 'line 3: /components/schemas/A/type has null without quotes'],
    ['a missing member', 'openapi: 3.1.1\ninfo: {title: t}\npaths: {}\n', 'line 2: /info lacks `version`'],
    ['an unknown member', `${head}paths: {}\ncolour: green\n`, 'line 4: /colour is not allowed here'],
    [
      'a wrong type of a response',
      `${head}paths: {/a: {get: {responses: []}}}\n`,
      '/responses is an array, and must be',
    ],
    [
      'a dangling $ref',
      withSchema("{$ref: '#/components/schemas/B'}"),
      'line 3: `#/components/schemas/B` leads nowhere. There are A.',
    ],
    [
      'a dangling $ref in a response',
      `${head}paths: {/a: {get: {responses: {default: {$ref: '#/components/responses/E'}}}}}\n`,
      '`#/components/responses/E` leads nowhere',
    ],
    ['a $ref to itself', withSchema("{$ref: '#/components/schemas/A'}"), 'leads back to itself'],
    [
      'a dangling mapping',
      lesson.replace(/plant\.deleted: '#.*'/, "plant.deleted: '#/components/schemas/Gone'"),
      '`#/components/schemas/Gone` leads nowhere',
    ],
    [
      'a mapping to a missing name',
      lesson.replace(/plant\.deleted: '#.*'/, 'plant.deleted: Gone'),
      'leads to the schema Gone, which does not exist',
    ],
    [
      'an operationId twice',
      lesson.replace('operationId: getPlant', 'operationId: createPlant'),
      'Two operations have the operationId createPlant',
    ],
    [
      'a link to no operation',
      read('openapi/openapi.yaml').replace('operationId: getPlant, ', 'operationId: getPlants, '),
      'No operation has the operationId getPlants',
    ],
    [
      'an unknown security scheme',
      lesson.replace("bearerAuth: ['plants:write']", "bearer: ['plants:write']"),
      'There is no security scheme bearer',
    ],
    ['an unknown type', withSchema('{type: strin}'), '/components/schemas/A/type must be one of "array"'],
    [
      'something wrong in a response whose status has no quotes',
      `${head}paths:\n  /a:\n    get:\n      responses:\n        200:\n          description: d\n          content: 5\n`,
      'line 9: /paths/~1a/get/responses/200/content is a number',
    ],
  ])('%s', async (_name, text, reason) => {
    expect(text).not.toBe(lesson);
    const { exitCode, stdout, stderr } = await checkText(text);
    expect({ exitCode, stderr, stdout }).toEqual({ exitCode: 1, stderr: '', stdout: expect.stringContaining(reason) });
    expect(stdout).toStartWith('not valid OpenAPI 3.1:\n');
  });
});

describe('a file that is no document has a plain answer', () => {
  test.each([
    ['an empty file', '', 'It is empty.'],
    ['a tab', 'openapi: 3.1.1\n\tinfo: x\n', 'line 2: A tab indents it.'],
    ['no space behind a colon', '{name:1}', '`name:1` is one name'],
    ['a list', '[1, 2]', 'It is no object'],
    ['a text', 'hello', 'It is one text and no object.'],
    ['bytes', new Uint8Array([0, 1, 2, 255]), 'It is one text and no object.'],
    ['a member twice', `${head}info: {}\n`, 'line 3: The object has two members with this name.'],
    ['two documents', `${head}---\n${head}`, 'A second document begins.'],
    ['a number as the version', 'openapi: 3.1\n', '`openapi: 3.1` is a number.'],
    ['an unknown version', 'openapi: 4.0.0\n', '`openapi` has no version that exists.'],
    ['Swagger', 'swagger: "2.0"\n', 'It is Swagger 2.0.'],
    ['another kind of document', 'arazzo: 1.0.1\n', 'It lacks the member `openapi`.'],
    ['10 MB', `${head}x-a: ${'a'.repeat(10_000_000)}\n`, 'It is larger than 4 MiB.'],
    ['deep nesting', `${head}x-a: ${nested('[', ']', 100_000)}\n`, 'nested too deeply'],
    [
      'aliases of aliases',
      `${[...'abcdefgh'].map((name, index, all) => `x-${name}: &${name} [${`*${all[index - 1]},`.repeat(9).replaceAll('*undefined', '1')}]`).join('\n')}\n${head}`,
      'alias',
    ],
    ['an alias of itself', `x-a: &a {b: *a}\n${head}`, 'An alias contains itself.'],
  ])('%s', async (_name, text, reason) => {
    const { exitCode, stdout, stderr } = await checkText(text);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
    expect(stdout).toContain(reason);
    expect(stdout).not.toMatch(/\bat .*:\d+:\d+|RangeError|TypeError/);
  });
});

/** A document with one of each component, and an operation at /a with these members. */
const withOperation = (operation: string): string =>
  `${head}components:
  schemas: {S: {}}
  responses: {R: {description: r, headers: {H: {schema: {}}}}}
  parameters: {P: {name: p, in: query, schema: {}}}
  examples: {E: {value: 1}}
  requestBodies: {B: {content: {}}}
  headers: {H: {schema: {}}}
  links: {L: {operationId: a}}
  callbacks: {C: {'{$url}': {}}}
  pathItems: {I: {}}
paths: {/a: {post: {operationId: a, ${operation}}}}
`;

describe('a reference to a component of another kind is not valid', () => {
  test.each([
    ['a schema', 'responses', 'R', (ref: string) => `requestBody: {content: {a/b: {schema: ${ref}}}}`],
    [
      'an item of oneOf',
      'parameters',
      'P',
      (ref: string) => `requestBody: {content: {a/b: {schema: {oneOf: [${ref}]}}}}`,
    ],
    ['a response', 'parameters', 'P', (ref: string) => `responses: {default: ${ref}}`],
    ['a parameter', 'headers', 'H', (ref: string) => `parameters: [${ref}]`],
    ['a request body', 'schemas', 'S', (ref: string) => `requestBody: ${ref}`],
    ['a header', 'parameters', 'P', (ref: string) => `responses: {default: {description: d, headers: {X: ${ref}}}}`],
    ['a link', 'responses', 'R', (ref: string) => `responses: {default: {description: d, links: {x: ${ref}}}}`],
    ['an example', 'schemas', 'S', (ref: string) => `requestBody: {content: {a/b: {examples: {x: ${ref}}}}}`],
    ['a callback', 'pathItems', 'I', (ref: string) => `callbacks: {x: ${ref}}`],
    ['a path item', 'callbacks', 'C', (ref: string) => `callbacks: {x: {'{$url}': ${ref}}}`],
  ])('%s from %s', async (_name, kind, name, operation) => {
    const target = `#/components/${kind}/${name}`;
    const { exitCode, stdout } = await checkText(withOperation(operation(`{$ref: '${target}'}`)));
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: expect.stringContaining(`\`${target}\` leads to `) });
    expect(stdout).toMatch(/ Object, and must lead to an? [\w ]+ Object\.\n$/);
  });

  test.each([
    [
      'the map of all schemas',
      "{$ref: '#/components/schemas'}",
      'a map or list of Schema Object, and must lead to a Schema',
    ],
    ['the whole document', "{$ref: '#'}", 'an OpenAPI Object, and must lead to a Schema Object'],
    [
      'a mapping',
      "{discriminator: {propertyName: a, mapping: {a: '#/info'}}}",
      'an Info Object, and must lead to a Schema',
    ],
  ])('%s', async (_name, schema, reason) => {
    expect(await checkText(withSchema(schema))).toMatchObject({ exitCode: 1, stdout: expect.stringContaining(reason) });
  });

  test('an operationRef to a path', async () => {
    const text = withOperation("responses: {default: {description: d, links: {x: {operationRef: '#/paths/~1a'}}}}");
    expect((await checkText(text)).stdout).toContain(
      'leads to a Path Item Object, and must lead to an Operation Object',
    );
  });

  test.each([
    [
      'a part of another response',
      "responses: {default: {description: d, headers: {X: {$ref: '#/components/responses/R/headers/H'}}}}",
    ],
    [
      'the response of this operation',
      "responses: {'200': {description: d}, default: {$ref: '#/paths/~1a/post/responses/200'}}",
    ],
    ['a path as a path item', "callbacks: {x: {'{$url}': {$ref: '#/paths/~1a'}}}"],
    [
      'an operation of a link',
      "responses: {default: {description: d, links: {x: {operationRef: '#/paths/~1a/post'}}}}",
    ],
  ])('%s is of the right kind', async (_name, operation) => {
    expect(await checkText(withOperation(operation))).toMatchObject({ exitCode: 0, stdout: 'valid OpenAPI 3.1\n' });
  });
});

describe('schemas in another dialect are not checked, and the answer says so', () => {
  const dialect = 'https://dialect.example';
  const wrongSchema = '{type: strin}';
  test.each([
    ['jsonSchemaDialect', `jsonSchemaDialect: ${dialect}\n${withSchema(wrongSchema)}`, 1],
    ['$schema', withSchema(`{$schema: '${dialect}', type: strin}`), 3],
    ['$schema of one among others', withSchema(`{properties: {a: {$schema: '${dialect}'}, b: ${wrongSchema}}}`), 3],
  ])('%s', async (_name, text, line) => {
    expect(await checkText(text)).toEqual({
      exitCode: 0,
      stdout: `valid OpenAPI 3.1, but its schemas were not checked, because line ${line} has another dialect: ${dialect}\n`,
      stderr: '',
    });
  });

  test('a lesson says it too', async () => {
    const text = lesson.replace(
      '  schemas:\n',
      `  schemas:\n    Other: {$schema: 'https://spec.openapis.org/oas/3.1/dialect/base'}\n`,
    );
    expect((await checkText(text, '--lesson', '2')).stdout).toContain('valid, but its schemas were not checked');
  });

  test.each([
    ['a $schema that repeats the dialect', "$schema: 'https://spec.openapis.org/oas/3.1/dialect/base', "],
    ['a $schema in an example', "examples: [{$schema: 'https://dialect.example'}], "],
  ])('%s changes nothing', async (_name, members) => {
    expect(await checkText(withSchema(`{${members}type: strin}`))).toMatchObject({ exitCode: 1 });
    expect(await checkText(withSchema(`{${members}type: string}`))).toMatchObject({ stdout: 'valid OpenAPI 3.1\n' });
  });
});

test('references to other documents are named, and not loaded', async () => {
  const text = withSchema("{$ref: 'http://127.0.0.1:1/other.yaml#/a'}");
  expect(await checkText(text)).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('which is not checked') });
  expect(await checkText(text, '/components/schemas/A', '1')).toMatchObject({
    exitCode: 1,
    stdout: expect.stringContaining('Unable to load resource'),
  });
});

test('examples, constants and extensions are data, in which a `$ref` is not resolved', async () => {
  const text = withSchema(
    "{default: {$ref: '#/a'}, const: {$ref: '#/a'}, examples: [{$ref: '#/a'}], x-a: {$ref: '#/a'}}",
  );
  expect(await checkText(text)).toMatchObject({ exitCode: 0 });
  // A property may have the name of a keyword.
  const named = withSchema("{properties: {default: {$ref: '#/a'}}}");
  expect(await checkText(named)).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('leads nowhere') });
});

const deleted = { type: 'plant.deleted', timestamp: '2026-05-01T09:33:00.000Z', id: 4 };

describe('a value is checked against a schema', () => {
  test.each([
    ['Plant', { name: 'Fern' }, 0, 'matches'],
    [
      'Plant',
      { name: 5 },
      1,
      '/name is a number, and must be a string (#/components/schemas/Plant/properties/name/type)',
    ],
    ['Plant', [], 1, 'the value is an array, and must be an object'],
    [
      'PlantRecord',
      { id: 1, name: 'Fern', createdAt: 'a', updatedAt: 'b', colour: 'green' },
      1,
      '/colour is not allowed here',
    ],
    ['Error', { error: 40999, message: 'm' }, 1, '/error must be one of 40000, 40001,'],
    ['Message', deleted, 0, 'matches'],
    [
      'Message',
      { ...deleted, type: 'plant.watered' },
      1,
      '/type must be "plant.deleted", in PlantDeleted, the nearest of 6',
    ],
    [
      'Message',
      { type: 'plant.created', timestamp: 't', id: '4', name: 'n' },
      1,
      '/id is a string, and must be an integer, in PlantCreated',
    ],
  ])('%s %j', async (schema, value, exitCode, reason) => {
    const outcome = await runCommand([
      'check',
      openapi('lesson.yaml'),
      `/components/schemas/${schema}`,
      JSON.stringify(value),
    ]);
    expect(outcome).toMatchObject({ exitCode, stderr: '', stdout: expect.stringContaining(reason) });
  });

  test('more than one alternative', async () => {
    const text = withSchema('{oneOf: [{type: integer, title: whole}, {type: number}]}');
    expect(await checkText(text, '/components/schemas/A', '1')).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining(
        'the value matches 2 alternatives of `oneOf`, and must match one: whole and alternative 2',
      ),
    });
  });

  test.each([
    [
      'a schema that contains itself for the same value',
      "{allOf: [{$ref: '#/components/schemas/A'}]}",
      'contains itself',
    ],
    ['a pattern that is no regular expression', "{pattern: '('}", 'The validator says: Invalid regular expression'],
  ])('%s', async (_name, schema, reason) => {
    const outcome = await checkText(withSchema(schema), '/components/schemas/A', '"x"');
    expect(outcome).toMatchObject({ exitCode: 1, stderr: '', stdout: expect.stringContaining(reason) });
  });
});

describe('a wrong use ends with 2', () => {
  test.each([
    ['no file', []],
    ['a file that does not exist', ['/nowhere/my.yaml']],
    ['a folder', ['/']],
    ['a pointer that leads nowhere', [openapi('lesson.yaml'), '/components/schemas/Nothing', '1']],
    ['a pointer without a slash', [openapi('lesson.yaml'), 'Plant', '1']],
    ['a value that is not JSON', [openapi('lesson.yaml'), '/components/schemas/Plant', '{name:1}']],
    ['a value of 10 MB', [openapi('lesson.yaml'), '/components/schemas/Plant', `"${'a'.repeat(10_000_000)}"`]],
  ])('%s', async (_name, args) => {
    const { exitCode, stdout, stderr } = await runCommand(['check', ...args]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toEndWith('\nRun with --help for usage.\n');
    expect(stderr).not.toMatch(/\bat .*:\d+:\d+/);
  });
});

test('the value is read from stdin, and the file is checked again after each change', async () => {
  using folder = temporaryFolder();
  const file = folder.file('my.yaml');
  writeFileSync(file, lesson);
  const env = { PATH: `${process.env['PATH']}`, HOME: folder.path };
  const [stdin, stdout] = [new Blob(['{"name":5}']), 'pipe'] as const;
  const command = [...underTest, 'check', file, '/components/schemas/Plant', '--watch'];
  const child = Bun.spawn(command, { env, stdin, stdout, stderr: 'ignore' });
  let shown = '';
  const reading = (async () => {
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) shown += chunk;
  })();
  await until(() => shown.includes('/name is a number'));
  writeFileSync(file, lesson.replaceAll('type: string, maxLength: 500', 'type: number'));
  await until(() => shown.endsWith('\nmatches\n'));
  // As an editor does.
  writeFileSync(folder.file('new.yaml'), 'openapi: 3.1\n');
  renameSync(folder.file('new.yaml'), file);
  await until(() => shown.includes('`openapi: 3.1` is a number.'));
  child.kill('SIGTERM');
  expect(await child.exited).toBe(0);
  await reading;
});

test('a failing command of a shell can be told from a wrong use', async () => {
  expect((await runProgram(['check', openapi('lesson.yaml'), '/components/schemas/Plant', '5'])).exitCode).toBe(1);
  expect((await runProgram(['check', openapi('lesson.yaml'), '/components/schemas/Plant', 'x'])).exitCode).toBe(2);
});

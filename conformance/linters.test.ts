/** Which mistakes in the document two linters report, as described in FEATURES.md. */
import { beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { namesIn } from '../src/base/json-pointer.ts';
import { document } from '../tests/support/document/document.ts';
import { temporaryFolder } from '../tests/support/folder.ts';

interface Mistake {
  readonly what: string;
  readonly pointer: string;
  readonly value: unknown;
}

const json = 'content/application~1json/examples';
const rename = '/paths/~1plants~1{id}/patch/requestBody/content/application~1merge-patch+json/examples/rename/value';

const inExamples: readonly Mistake[] = [
  { what: 'a number where a type array has null and string', pointer: `${rename}/tag`, value: 5 },
  {
    what: 'an unknown const of a discriminated oneOf, in a webhook',
    pointer: `/webhooks/plant.created/post/requestBody/${json}/created/value/type`,
    value: 'plant.watered',
  },
  {
    what: 'an unknown const of a discriminated oneOf, in a callback',
    pointer: `/components/pathItems/Event/post/requestBody/${json}/created/value/type`,
    value: 'plant.watered',
  },
  {
    what: 'an unknown number of an annotated enumeration, in a response of the components',
    pointer: `/components/responses/WebhookNotFound/${json}/not_found/value/error`,
    value: 40499,
  },
  {
    what: 'a member that unevaluatedProperties excludes',
    pointer: `/paths/~1plants~1{id}/get/responses/200/${json}/tagged/value/colour`,
    value: 'green',
  },
];

const inSchemaExample: Mistake = {
  what: 'an example in a schema that does not match the schema',
  pointer: '/components/schemas/PlantPatch/properties/tag/examples/0',
  value: 5,
};

const inLink: Mistake = {
  what: 'a link to an operation that does not exist',
  pointer: '/paths/~1plants/post/responses/200/links/getPlant/operationId',
  value: 'nowhere',
};

const inLicense: Mistake = {
  what: 'a license with an identifier and a URL',
  pointer: '/info/license/url',
  value: 'https://example.com/',
};

/** The document with all of the mistakes. */
const mistaken = (): object =>
  [...inExamples, inSchemaExample, inLink, inLicense].reduce((node, { pointer, value }) => {
    const names = namesIn(pointer);
    const last = names.pop() ?? '';
    names.reduce((parent, name) => parent[name], node)[last] = value;
    return node;
  }, structuredClone(document));

const run = async (name: string, ...args: string[]): Promise<string> => {
  using folder = temporaryFolder();
  const file = folder.file('openapi.json');
  await Bun.write(file, JSON.stringify(mistaken()));
  const command = [join(import.meta.dir, 'node_modules/.bin', name), 'lint', file, ...args];
  return await Bun.spawn(command, { cwd: import.meta.dir, stdout: 'pipe', stderr: 'ignore' }).stdout.text();
};

/** Whether a linter reports a problem at the mistake, or at the object that contains it. */
const isReported = (reported: readonly string[], { pointer }: Mistake): boolean =>
  reported.some((place) => place === pointer || place === pointer.slice(0, pointer.lastIndexOf('/')));

describe('Redocly', () => {
  let reported: string[];
  beforeAll(async () => {
    const { problems } = JSON.parse(await run('redocly', '--config', 'redocly.yaml', '--format', 'json'));
    reported = problems.map(({ location: [{ pointer }] }: { location: [{ pointer: string }] }) => pointer.slice(1));
  });

  test.each([...inExamples, inSchemaExample])('Redocly reports $what', (mistake) => {
    expect(isReported(reported, mistake)).toBe(true);
  });

  test.each([inLink, inLicense])('Redocly does not report $what', (mistake) => {
    expect(isReported(reported, mistake)).toBe(false);
  });
});

describe('Spectral', () => {
  let reported: string[];
  beforeAll(async () => {
    const problems = JSON.parse(await run('spectral', '--ruleset', 'spectral.yaml', '--format', 'json'));
    reported = problems.map(({ path }: { path: string[] }) =>
      path.map((token) => `/${token.replaceAll('/', '~1')}`).join(''),
    );
  });

  test.each([...inExamples, inLicense])('Spectral reports $what', (mistake) => {
    expect(isReported(reported, mistake)).toBe(true);
  });

  test.each([inSchemaExample, inLink])('Spectral does not report $what', (mistake) => {
    expect(isReported(reported, mistake)).toBe(false);
  });
});

/** How Go tools read OpenAPI 3.1. They are built from their modules, which takes half a minute the first time. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { join } from 'node:path';
import { temporaryFolder } from '../../tests/support/folder.ts';
import { describeGenerator } from './generator.ts';
import { run } from './run.ts';
import { smallDocument } from './small-document.ts';

// The machine may be busy.
setDefaultTimeout(60_000);

const go = Bun.which('go', { PATH: `${process.env['PATH']}:/usr/local/go/bin` });
const missing = go === null ? 'go is not installed' : undefined;

const sources = join(import.meta.dir, 'go');
const programs = temporaryFolder();
process.on('exit', programs[Symbol.dispose]);

/** Builds a program of the module and returns its path. */
const build = async (name: string, source: string): Promise<string> => {
  const program = programs.file(name);
  if (go === null) return program;
  const { text, exitCode } = await run([go, 'build', '-o', program, source], sources);
  if (exitCode !== 0) throw new Error(`${name} cannot be built: ${text}`);
  return program;
};

const kinOpenapi = await build('kin-openapi', '.');
const oapiCodegen = await build('oapi-codegen', 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen');

describeGenerator({
  tool: 'oapi-codegen',
  missing,
  command: [oapiCodegen, '-package', 'small', '-generate', 'types,client', '-o', 'small.go', 'small.json'],
  files: ['small.go'],
  has: {
    'the titles of an annotated enumeration are its names': 'MalformedBody ErrorError = 40000',
    'a body of each media type can be sent': 'UpdatePlantWithApplicationMergePatchPlusJSONBody(',
    'an id is an int64': 'Id int64 `json:"id"`',
    'null cannot be sent': 'Tag *string `json:"tag,omitempty"`',
    'the members beside a discriminated oneOf are kept': 'type Event struct { // EventId of an event EventId EventId',
    'a required readOnly member may be absent': 'CreatedAt *time.Time `json:"createdAt,omitempty"`',
    'the message of a webhook has its type': 'type OnPlantCreatedJSONRequestBody = PlantCreated',
    'the message of a callback has its type': 'type OnCallbackJSONRequestBody = PlantDeleted',
    'the description beside a reference replaces the shared one': 'type ListEventsParams struct { // Limit of webhooks',
  },
});

/** How kin-openapi reads a document, and whether it accepts each of the bodies for `POST /`. */
const examine = async (document: object, bodies: readonly object[] = []) => {
  using folder = temporaryFolder();
  await Bun.write(folder.file('small.json'), JSON.stringify(document));
  const { text } = await run([kinOpenapi, folder.file('small.json'), ...bodies.map((body) => JSON.stringify(body))]);
  return JSON.parse(text);
};

/** A document with one operation, whose body has the schema. */
const accepting = (schema: object) => ({
  openapi: '3.1.1',
  info: { title: 'Small', version: '1' },
  paths: {
    '/': {
      post: {
        requestBody: { required: true, content: { 'application/json': { schema } } },
        responses: { '204': { description: 'accepted' } },
      },
    },
  },
});

const closed = (pattern: string) => ({
  allOf: [{ type: 'object', properties: { name: { type: 'string', pattern } } }],
  unevaluatedProperties: false,
});

describe.skipIf(missing !== undefined)(
  missing === undefined ? 'kin-openapi' : `kin-openapi is skipped: ${missing}`,
  () => {
    test('kin-openapi: components.pathItems is refused as an unknown member', async () => {
      expect((await examine(smallDocument)).invalid).toBe('invalid components: extra sibling fields: [pathItems]');
      const { pathItems, ...components } = smallDocument.components;
      const { callbacks, ...createWebhook } = smallDocument.paths['/webhooks'].post;
      const paths = { ...smallDocument.paths, '/webhooks': { post: createWebhook } };
      expect((await examine({ ...smallDocument, paths, components })).invalid).toBe('');
    });

    test('kin-openapi: the description beside one reference to a parameter replaces those of all references', async () => {
      const parameters = (description: string) => [{ $ref: '#/components/parameters/limit', description }];
      const get = (description: string) => ({
        get: { parameters: parameters(description), responses: { '204': { description: 'none' } } },
      });
      const { info, openapi } = smallDocument;
      const { limit } = smallDocument.components.parameters;
      const paths = { '/events': get('of events'), '/plants': get('of plants') };
      const { descriptions } = await examine({ openapi, info, paths, components: { parameters: { limit } } });
      expect(descriptions).toEqual({ '/events': ['of plants'], '/plants': ['of plants'] });
    });

    test('kin-openapi: constants, null and unevaluatedProperties are validated', async () => {
      const { accepted } = await examine(accepting({ properties: { type: { const: 'plant.created' } } }), [
        { type: 'plant.created' },
        { type: 'plant.deleted' },
      ]);
      expect(accepted).toEqual([true, false]);
      const tag = { type: 'object', properties: { tag: { type: ['string', 'null'] } } };
      expect((await examine(accepting(tag), [{ tag: null }, { tag: 5 }])).accepted).toEqual([true, false]);
      expect((await examine(accepting(closed('^[a-z]*$')), [{ name: 'n' }, { other: 1 }])).accepted).toEqual([
        true,
        false,
      ]);
    });

    test('kin-openapi: unevaluatedProperties is ignored beside a pattern with \\u, which Go does not know', async () => {
      expect((await examine(accepting(closed('^[^\\u0000]*$')), [{ other: 1 }])).accepted).toEqual([true]);
      expect((await examine(accepting(closed('^[^\\x00]*$')), [{ other: 1 }])).accepted).toEqual([false]);
    });
  },
);

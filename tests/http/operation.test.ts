/** The route of an operation and its part of the document are made only from its descriptor. */
import { describe, expect, test } from 'bun:test';
import { createApp, operations } from '../../src/app/app.ts';
import { AppError, foreignCursor, idTaken, otherMediaType, scopeMissing } from '../../src/base/app-error.ts';
import { readConfig } from '../../src/config/config.ts';
import { createDocument } from '../../src/document/document.ts';
import { methodOf, type Operation, pathOf } from '../../src/http/operation.ts';
import { t } from '../../src/http/schema.ts';
import { createLog } from '../../src/log.ts';
import { createPlant, listPlants } from '../../src/plants/operations.ts';
import { PlantListQuery } from '../../src/plants/schemas.ts';
import { asJson, createTestApp, errorOf, giveToken, jsonOf } from '../support/app/app.ts';
import { read, sources } from '../support/project/imports.ts';
import { openTestStore } from '../support/store/engines.ts';

/** An app and its document in which one descriptor is replaced, with a token that has all scopes of plants. */
const replace = async (operationId: string, changed: Operation) => {
  const changedOperations = { ...operations, [operationId]: changed };
  const store = await openTestStore();
  const config = readConfig({}, {});
  const app = createApp({ store, config, log: createLog('silent'), operations: changedOperations });
  const token = await giveToken(store, { scopes: ['plants:read', 'plants:write'] });
  const { paths } = JSON.parse(JSON.stringify(createDocument(changedOperations)));
  return {
    documented: paths[pathOf(changed)][methodOf(changed).toLowerCase()],
    served: await jsonOf(await app.fetch(new Request('http://localhost/openapi.json'))),
    send: async (headers: Record<string, string> = {}, query = '', body?: string): Promise<Response> =>
      app.fetch(
        new Request(`http://localhost${pathOf(changed)}${query}`, {
          method: methodOf(changed),
          headers: { authorization: `Bearer ${token}`, ...headers },
          ...(body !== undefined && { body }),
        }),
      ),
  };
};

const messageOf = async (response: Response): Promise<string> => (await jsonOf(response)).message;

const plant = '{"id":1,"name":"n"}';

test('an error of a handler is handled, however the handler is written', async () => {
  const fail = async (): Promise<Response> => {
    throw new AppError(foreignCursor);
  };
  const config = readConfig({}, { CORS_ORIGINS: '*' });
  for (const text of [
    'async () => fail()',
    '() => fail()',
    '() =>\n  fail()',
    '() => { const it = fail(); return it; }',
  ]) {
    const handler = () => new Function('fail', `return ${text}`)(fail);
    const app = await createTestApp({ config, operations: { ...operations, listPlants: { ...listPlants, handler } } });
    const response = await app.send('GET', '/plants', { headers: { origin: 'https://garden.example' } });
    expect([text, response.headers.get('access-control-allow-origin')]).toEqual([text, '*']);
    expect(await errorOf(response)).toBe(40004);
  }
});

test('every descriptor in a file of operations is in the list of the app, by its own name', () => {
  const found = sources
    .filter((path) => /\/operations\.ts$|^src\/(?:app|http)\//.test(path))
    .flatMap((path) => [...read(path).matchAll(/^export const (\w+) = operation\(/gm)].map(([, name = '']) => name));
  expect(found.sort()).toEqual(Object.keys(operations).sort());
});

describe('the route and the document are made from the descriptor', () => {
  test('another scope in the descriptor is required by the route and listed in the document', async () => {
    const changed = await replace('createPlant', { ...createPlant, scope: 'webhooks:write' });
    const rejection = await changed.send(asJson, '', plant);
    expect([rejection.status, await messageOf(rejection)]).toEqual([403, scopeMissing('webhooks:write').message]);
    expect(changed.documented.security).toEqual([{ bearerAuth: ['webhooks:write'] }]);
    expect(changed.documented.responses[403]).toEqual({ $ref: '#/components/responses/WebhooksWriteForbidden' });
    expect(changed.served.paths['/plants'].post).toEqual(changed.documented);
  });

  test('another media type in the descriptor is accepted by the route and shown in the document', async () => {
    const { body } = createPlant;
    if (!body) throw new Error('the operation has no body');
    const mediaTypes = ['application/vnd.plant+json'] as const;
    const changed = await replace('createPlant', { ...createPlant, body: { ...body, mediaTypes } });
    const rejection = await changed.send(asJson, '', plant);
    expect([rejection.status, await messageOf(rejection)]).toEqual([415, otherMediaType(mediaTypes).message]);
    expect((await changed.send({ 'content-type': mediaTypes[0] }, '', plant)).status).toBe(200);
    expect(Object.keys(changed.documented.requestBody.content)).toEqual([...mediaTypes]);
    const { examples } = changed.documented.responses[415].content['application/json'];
    expect(examples.unsupported_media_type.value.message).toBe(otherMediaType(mediaTypes).message);
  });

  test('another limit in the descriptor is enforced by the route and stated in the document', async () => {
    const limit = t.IntegerText({
      minimum: 1,
      maximum: 3,
      default: 2,
      description: 'few',
      error: 'must be at most three',
    });
    const query = t.Object({ ...PlantListQuery.properties, limit }, { additionalProperties: true });
    const changed = await replace('listPlants', { ...listPlants, parameters: { query } });
    expect((await changed.send({}, '?limit=3')).status).toBe(200);
    const rejection = await changed.send({}, '?limit=4');
    expect([rejection.status, await messageOf(rejection)]).toEqual([
      400,
      'The query parameter limit must be at most three.',
    ]);
    const documented = changed.documented.parameters.find(({ name }: { name?: string }) => name === 'limit');
    expect(documented.schema).toMatchObject({ minimum: 1, maximum: 3, default: 2 });
  });

  test('a body that breaks its schema in a member without a rule is not accepted', async () => {
    const { body } = createPlant;
    if (!body) throw new Error('the operation has no body');
    const schema = t.Object({ ...body.schema.properties, name: t.Literal('other') });
    const changed = await replace('createPlant', { ...createPlant, body: { ...body, schema } });
    expect((await changed.send(asJson, '', plant)).status).toBe(500);
  });

  test('a failure that is removed from the descriptor is not in the document', async () => {
    const failures = createPlant.failures?.filter((failure) => failure !== idTaken);
    const { documented } = await replace('createPlant', { ...createPlant, ...(failures && { failures }) });
    expect(Object.keys(documented.responses)).toEqual(['200', '400', '401', '403', '413', '415', '500', '503']);
  });
});

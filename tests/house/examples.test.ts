/** Each example in the document is true: a request gets the documented response from the service. */
import { describe, expect, test } from 'bun:test';
import { fill } from '../../src/demo/fill.ts';
import { logStartId } from '../../src/domain/event.ts';
import { demoToken, readerToken, webhook } from '../../src/domain/sample-data.ts';
import { createTestApp, jsonOf, type TestApp } from '../support/app.ts';
import {
  type DocumentedResponse,
  document,
  fits,
  operations,
  operationsOf,
  type PlacedOperation,
  resolve,
} from '../support/document.ts';
import { onBothEngines, openTestStore } from '../support/engines.ts';
import { asStream, readFrames } from '../support/event-stream.ts';

/** A request or a response. */
type Holder = Pick<DocumentedResponse, 'content'>;

const holdersOf = ({ requestBody, responses }: PlacedOperation): [string, Holder][] => [
  ...(requestBody ? [['request', requestBody] satisfies [string, Holder]] : []),
  ...Object.entries(responses).map(([status, response]): [string, Holder] => [status, resolve(response)]),
];

const allOperations = [document.paths, document.webhooks, document.components.pathItems].flatMap(operationsOf);

/** Each example, with its location in the document and its schema. */
const examples = allOperations.flatMap((operation) =>
  holdersOf(operation).flatMap(([place, { content: contents = {} }]) =>
    Object.entries(contents).flatMap(([mediaType, content]) =>
      Object.entries(content.examples ?? {}).map(([name, { value }]) => ({
        where: `${operation.operationId} ${place} ${mediaType} ${name}`,
        schema: content.schema,
        value,
      })),
    ),
  ),
);

onBothEngines(() => {
  test('every body of a request or response has an example', () => {
    const bodies = allOperations.flatMap(holdersOf).flatMap(([, { content = {} }]) => Object.values(content));
    expect(bodies.length).toBeGreaterThan(80);
    for (const { examples: some = {} } of bodies) expect(Object.keys(some)).not.toBeEmpty();
  });

  test('every example is valid against its schema', async () => {
    for (const { where, schema, value } of examples) {
      expect({ where, fits: await fits(schema, value) }).toEqual({ where, fits: true });
    }
  });

  test('every example inside a schema is valid against the schema', async () => {
    let count = 0;
    const look = async (schema: unknown): Promise<void> => {
      if (typeof schema !== 'object' || schema === null) return;
      if ('examples' in schema && Array.isArray(schema.examples)) {
        for (const example of schema.examples) {
          expect({ schema, example, fits: await fits(schema, example) }).toMatchObject({ fits: true });
          count += 1;
        }
      }
      for (const part of Object.values(schema)) await look(part);
    };
    await look(document);
    expect(count).toBeGreaterThan(20);
  });

  /** Replaces the values that differ in each run: times, random names and secrets. */
  const mask = (text: string): unknown =>
    JSON.parse(
      text
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
        .replaceAll(/(evt_\d+(?:t\d+)?)_[\w-]+/g, '$1')
        .replaceAll(/wh_\w{14}/g, 'wh')
        .replaceAll(/whsec_[\w+/]+=*/g, 'whsec'),
    );

  /** The examples of the successful response, by name. */
  const examplesOf = ({ responses }: PlacedOperation) => {
    const [success = ''] = Object.keys(responses);
    const response = responses[success];
    const contents = Object.values((response && resolve(response).content) ?? {});
    return Object.fromEntries(contents.flatMap(({ examples = {} }) => Object.entries(examples)));
  };

  const exampleOf = (operation: PlacedOperation, name: string): string =>
    JSON.stringify(examplesOf(operation)[name]?.value);

  /** The app on a store with the sample data. */
  const createDemoApp = async (): Promise<TestApp> => {
    const store = await openTestStore();
    await fill(store, () => undefined);
    return createTestApp({ store });
  };

  describe('requests', () => {
    const requests = operations.flatMap((operation) =>
      Object.entries(operation.requestBody?.content ?? {}).flatMap(([contentType, { examples: named = {} }]) =>
        Object.entries(named).map(([name, { value }]) => ({ ...operation, operation, contentType, name, value })),
      ),
    );

    test('every media type of a request has an example', () => {
      expect(new Set(requests.map(({ operationId, contentType }) => `${operationId} ${contentType}`))).toEqual(
        new Set([
          'createPlant application/json',
          'updatePlant application/merge-patch+json',
          'updatePlant application/json',
          'createWebhook application/json',
        ]),
      );
    });

    test.each(requests)(
      'the request $operationId $contentType $name gets the documented response',
      async ({ method, path, contentType, value, name, operation }) => {
        const app = await createDemoApp();
        const response = await app.send(method.toUpperCase(), path.replace('{id}', '1'), {
          headers: { 'content-type': contentType },
          body: JSON.stringify(value),
        });
        expect(`${response.status}`).toBe(Object.keys(operation.responses)[0] ?? '');
        expect(mask(await response.text())).toEqual(mask(exampleOf(operation, name)));
      },
    );
  });

  /** The request for each example of a response to a request without a body. */
  const scenes: Readonly<Record<string, (app: TestApp) => Promise<Response>>> = {
    'listPlants some': (app) => app.send('GET', '/plants'),
    'listPlants none': (app) => app.send('GET', '/plants?tag=none'),
    'getPlant tagged': (app) => app.send('GET', '/plants/1'),
    'listEvents all': (app) => app.send('GET', '/events'),
    'listEvents live': async (app) => {
      const reader = readFrames(await app.send('GET', `/events?after=${logStartId}`, { headers: asStream }));
      await reader.frames(6);
      await reader.cancel();
      // As JSON, since all of a JSON text is compared.
      return new Response(JSON.stringify(reader.text()), { headers: { 'content-type': 'application/json' } });
    },
    'listWebhooks some': (app) => app.send('GET', '/webhooks'),
    'getWebhook one': (app) => app.send('GET', `/webhooks/${webhook.id}`),
    'rotateWebhook rotated': (app) => app.send('POST', `/webhooks/${webhook.id}/rotate`),
    'testWebhook test': (app) => app.send('POST', `/webhooks/${webhook.id}/test`),
    'listDeliveries some': (app) => app.send('GET', `/webhooks/${webhook.id}/deliveries`),
    'redeliver again': async (app) => {
      const [, , { id }] = await jsonOf(await app.send('GET', `/webhooks/${webhook.id}/deliveries`));
      return app.send('POST', `/webhooks/${webhook.id}/deliveries/${id}/redeliver`);
    },
    'getToken demo': (app) => app.send('GET', '/token', { authorization: `Bearer ${demoToken}` }),
    'getToken reader': (app) => app.send('GET', '/token', { authorization: `Bearer ${readerToken}` }),
    'getMetrics lines': (app) => app.send('GET', '/metrics'),
  };

  test('every example of a response to a request without a body has a scene', () => {
    const named = operations
      .filter(({ requestBody }) => !requestBody)
      .flatMap((operation) => Object.keys(examplesOf(operation)).map((name) => `${operation.operationId} ${name}`));
    expect(named.sort()).toEqual(Object.keys(scenes).sort());
  });

  test.each(Object.entries(scenes))(
    'the request of the example %s gets the documented response',
    async (scene, play) => {
      const [operationId = '', name = ''] = scene.split(' ');
      const operation = operations.find((one) => one.operationId === operationId);
      if (!operation) throw new Error(`there is no operation ${operationId}`);
      const response = await play(await createDemoApp());
      expect(`${response.status}`).toBe(Object.keys(operation.responses)[0] ?? '');
      if (response.headers.get('content-type') === 'application/json')
        expect(mask(await response.text())).toEqual(mask(exampleOf(operation, name)));
      // The example of a plain text has only some of its lines.
      else
        expect((await response.text()).split('\n')).toEqual(
          expect.arrayContaining(JSON.parse(exampleOf(operation, name)).split('\n')),
        );
    },
  );
});

/** Each example in the document is true: a request gets the documented response from the service. */
import { expect, test } from 'bun:test';
import { eventsOfWebhook } from '../../src/events/sample.ts';
import { createSampleApp } from '../support/app/sample-app.ts';
import {
  type DocumentedResponse,
  document,
  fits,
  operationsOf,
  type PlacedOperation,
  resolve,
} from '../support/document/document.ts';
import { documentedResponses, requestOf } from '../support/document/documented-response.ts';
import { keyOf, sceneOf } from '../support/document/scenes.ts';
import { onBothEngines } from '../support/store/engines.ts';
import { isStream, readFrames } from '../support/streams/event-stream.ts';

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
    const bodies = allOperations.flatMap((operation) =>
      holdersOf(operation).flatMap(([place, { content = {} }]) =>
        Object.entries(content)
          // JSON has no bytes.
          .filter(([mediaType]) => !/^(image|multipart)\//.test(mediaType))
          .map(([, { examples: some = {} }]) => ({
            body: `${operation.operationId} ${place}`,
            count: Object.keys(some).length,
          })),
      ),
    );
    expect(bodies.length).toBeGreaterThan(80);
    expect(bodies.filter(({ count }) => count === 0)).toEqual([]);
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
    expect(count).toBeGreaterThan(10);
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

  const successes = documentedResponses
    .filter(({ status, example }) => status < 400 && example !== undefined)
    .map((documented) => ({
      ...documented,
      documented,
      key: `${keyOf(documented)} ${documented.contentType ?? ''}`.trim(),
    }));

  test.each(successes)(
    'the request of the example $key gets the documented response',
    async ({ documented, status, example }) => {
      const { send } = await createSampleApp();
      const response = await send(...requestOf(documented, sceneOf(documented)));
      expect(response.status).toBe(status);
      const body = isStream(response) ? await readSome(response) : await response.text();
      const isFile = /ndjson|csv/.test(response.headers.get('content-type') ?? '');
      const text = isFile ? JSON.stringify(body) : body;
      // The example of a plain text has only some of its lines.
      if (response.headers.get('content-type')?.startsWith('text/plain'))
        expect(text.split('\n')).toEqual(expect.arrayContaining(`${example}`.split('\n')));
      else expect(mask(text)).toEqual(mask(JSON.stringify(example)));
    },
  );
});

/** The text of a stream with the events of the sample data, as JSON. */
const readSome = async (response: Response): Promise<string> => {
  const reader = readFrames(response);
  await reader.frames(eventsOfWebhook.length);
  await reader.cancel();
  return JSON.stringify(reader.text());
};

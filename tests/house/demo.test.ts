/**
 * Every example in the document is true in the demo: the request gets the documented response, byte for byte, with its
 * ids, secrets and times. Paths, parameters and bodies come from the document.
 *
 * The demo runs in the process of the test, or with another TEST_PROGRAM than the binary, as that.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { setTimeout } from 'node:timers/promises';
import { eventsOfWebhook } from '../../src/events/sample.ts';
import { fileOfMonstera } from '../../src/pictures/sample.ts';
import { jsonOf } from '../support/app/app.ts';
import { startServedDemo, startTestDemo, type TestDemo } from '../support/app/demo.ts';
import { document, operations, operationsOf, type PlacedOperation } from '../support/document/document.ts';
import {
  type DocumentedResponse,
  documentedResponses,
  optionalParametersOf,
  requestOf,
  responsesBeyondLimit,
} from '../support/document/documented-response.ts';
import { isReachable, keyOf, type Scene, sceneOf, unreachable } from '../support/document/scenes.ts';
import { PaceError } from '../support/pace.ts';
import { programName } from '../support/programs/process.ts';
import { isStream, readFrames } from '../support/streams/event-stream.ts';

const rows = [...documentedResponses, ...responsesBeyondLimit].filter(isReachable).map((documented) => ({
  title: `${keyOf(documented)} ${documented.contentType ?? ''}`.trim(),
  documented,
  scene: sceneOf(documented),
}));

let demo: TestDemo;
let limited: TestDemo;
const startDemos = async (): Promise<void> => {
  const start = programName === 'binary' ? startTestDemo : startServedDemo;
  demo = await start();
  limited = await start({ env: { RATE_LIMIT: '1/30d' } });
};
const stopDemos = async (): Promise<void> => {
  await demo[Symbol.asyncDispose]();
  await limited[Symbol.asyncDispose]();
};
beforeAll(startDemos);
afterAll(stopDemos);

/** Sooner than the time limit of a test, at which Bun would kill the demos. */
const exampleMsMax = 120_000;

/** Resolves as the work does. If it fails or is late, all later tests get new demos. */
const alone = async (work: Promise<void>): Promise<void> => {
  const isOver = new AbortController();
  const limit = setTimeout(exampleMsMax, undefined, { signal: isOver.signal }).then(() => {
    throw new PaceError(`The example took more than ${exampleMsMax / 1000} s.`);
  });
  try {
    await Promise.race([work, limit]);
  } catch (error) {
    await stopDemos();
    await startDemos();
    throw error;
  } finally {
    isOver.abort();
  }
};

/** How many requests are sent at once if a response needs many of them. */
const concurrent = 20;

/** Sends the request as often as the scene defines, compares the last response to the example, and resets the demo. */
const expectExample = async (documented: DocumentedResponse, { times = 1, ...circumstance }: Scene): Promise<void> => {
  const isLimited = documented.status === 429;
  const { send } = isLimited ? limited : demo;
  const request = requestOf(documented, circumstance);
  for (let left = times - 1; left > 0; left -= concurrent)
    await Promise.all(Array.from({ length: Math.min(left, concurrent) }, () => send(...request)));
  const response = await send(...request);
  expect(response.status).toBe(documented.status);
  if (isStream(response)) {
    const { frames, text, cancel } = readFrames(response);
    await frames(eventsOfWebhook.length);
    expect(text()).toBe(`${documented.example}`);
    await cancel();
  } else if (response.headers.get('content-type')?.startsWith('text/plain')) {
    // The example of a plain text has only some of its lines.
    const lines = (await response.text()).split('\n');
    expect(lines).toEqual(expect.arrayContaining(`${documented.example}`.split('\n')));
  } else {
    const isPicture = response.headers.get('content-type')?.startsWith('image/');
    const example = isPicture ? fileOfMonstera.content.toString() : documented.example;
    // A file is a text.
    expect(await response.text()).toBe(typeof example === 'string' ? example : (JSON.stringify(example) ?? ''));
  }
  const isChanged = documented.status < 400 && documented.operation.method !== 'get';
  if (isChanged || (times > 1 && !isLimited)) await demo.reset();
};

test('every response in the document has a scene, or one reason why no request gets it', () => {
  expect(rows.filter(({ scene }) => scene === undefined)).toEqual([]);
  expect(rows.length).toBeGreaterThan(150);
  for (const isReason of Object.values(unreachable)) expect(documentedResponses.filter(isReason)).not.toBeEmpty();
});

test.each(rows)('the demo returns the response of the example: $title', async ({ documented, scene = {} }) => {
  await alone(expectExample(documented, scene));
});

const unreachableRows = documentedResponses
  .filter((documented) => !isReachable(documented))
  .flatMap((documented) => {
    const scene = sceneOf(documented);
    return scene ? [{ title: keyOf(documented), documented, scene }] : [];
  });

test.each(unreachableRows)(
  'a request for an error that the demo never returns succeeds: $title',
  async ({ documented, scene }) => {
    const { times = 1, ...circumstance } = scene;
    for (let count = 0; count < times; count += 1)
      expect((await demo.send(...requestOf(documented, circumstance))).status).toBeLessThan(300);
    await demo.reset();
  },
);

const optional = operations
  .map((operation) => ({ ...operation, operation, examples: optionalParametersOf(operation) }))
  .filter(({ examples }) => Object.keys(examples).length > 0);

test.each(optional)(
  '$operationId gets its first documented status with the first example of each optional parameter, and with all of them',
  async ({ operation, examples, method }) => {
    const success = documentedResponses.find((documented) => documented.operation === operation);
    if (!success) throw new Error(`${operation.operationId} has no response`);
    for (const parameters of [examples, ...Object.entries(examples).map(([name, value]) => ({ [name]: value }))]) {
      const { status } = await demo.send(...requestOf(success, { parameters }));
      expect({ parameters, status }).toEqual({
        parameters,
        status: statusWith(operation, parameters) ?? success.status,
      });
      if (method !== 'get') await demo.reset();
    }
  },
);

/** The status if it is not the first one: a part of a picture, and a picture for a plant that has one. */
const statusWith = ({ operationId }: PlacedOperation, parameters: object): number | undefined => {
  if (operationId === 'putPicture') return 204;
  return `${Object.keys(parameters)}` === 'Range' ? 206 : undefined;
};

const withPatch = rows.filter(({ documented: { operation, status } }) => operation.method === 'patch' && status < 400);

test.each(withPatch)(
  'the demo returns the same response when the example of If-Match is sent: $title',
  async ({ documented }) => {
    await alone(expectExample(documented, { parameters: optionalParametersOf(documented.operation) }));
  },
);

test('the example of each message about a plant is an event of the demo, apart from its id and sequence', async () => {
  const events: object[] = await jsonOf(await demo.send('GET', '/events'));
  const eventsOfDemo = events.map((event) => JSON.stringify({ ...event, eventId: undefined, sequence: undefined }));
  const messages = operationsOf(document.webhooks)
    .flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}))
    .flatMap(({ examples = {} }) => Object.values(examples).map(({ value }) => value));
  const ofPlants = messages.filter(({ type }) => !['plant.picture.deleted', 'webhook.test'].includes(`${type}`));
  expect([messages.length, ofPlants.length]).toEqual([6, 4]);
  for (const message of ofPlants) expect(eventsOfDemo).toContain(JSON.stringify(message));
});

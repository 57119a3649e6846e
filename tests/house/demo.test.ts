/**
 * Every example in the document is true in the demo: the request gets the documented response, byte for byte, with its
 * ids, secrets and times. Paths, parameters and bodies come from the document.
 *
 * The demo runs in the process of the test, or with another TEST_PROGRAM than the binary, as that.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { testMessagesPendingMax } from '../../src/domain/delivery.ts';
import { bodyBytesMax } from '../../src/domain/error.ts';
import { logStartId } from '../../src/domain/event.ts';
import { demoToken, readerToken } from '../../src/domain/sample-data.ts';
import { webhooksMax } from '../../src/domain/webhook.ts';
import { streamsMax } from '../../src/http/events/streams.ts';
import { jsonOf } from '../support/app.ts';
import { startServedDemo, startTestDemo, type TestDemo } from '../support/demo.ts';
import { document, operations, operationsOf } from '../support/document.ts';
import {
  type Circumstance,
  type DocumentedResponse,
  documentedResponses,
  optionalParametersOf,
  parametersNamed,
  requestOf,
} from '../support/documented-response.ts';
import { asStream, isStream, readFrames } from '../support/event-stream.ts';
import { programName } from '../support/process.ts';

interface Scene extends Circumstance {
  /** The number of times that the request is sent, 1 by default. The last response is the documented one. */
  readonly times?: number;
}

const withToken = (token: string): Scene => ({ headers: { authorization: `Bearer ${token}` } });

/** Values that lead to a successful response, if the examples of the request do not. */
const successes: Readonly<Record<string, Scene>> = {
  'listPlants 200 none': { parameters: { tag: 'none' } },
  'listEvents 200 live': { parameters: { after: logStartId }, headers: asStream },
  'getToken 200 reader': withToken(readerToken),
};

/** Values that lead to an error, by the name of its example. */
const rejections: Readonly<Record<string, Scene>> = {
  malformed_body: { body: '{' },
  body_too_large: { body: `"${'x'.repeat(bodyBytesMax)}"` },
  unsupported_media_type: { headers: { 'content-type': 'text/plain' } },
  invalid_path_id: { parameters: { id: 'x' } },
  invalid_cursor: { parameters: { after: 'x' } },
  token_missing: { headers: { authorization: '' } },
  token_invalid: withToken('x'),
  token_invalid_2: { headers: { authorization: demoToken } },
  scope_missing: withToken(readerToken),
  not_found: { parameters: { id: '9', webhookId: '9' } },
  not_found_2: { parameters: { deliveryId: '9' } },
  id_taken: { body: '{"id":1,"name":"other"}' },
  precondition_failed: { parameters: { 'If-Match': '"x"' } },
  too_many_webhooks: { times: webhooksMax },
  too_many_tests: { times: testMessagesPendingMax + 1 },
  unavailable_2: { headers: asStream, times: streamsMax + 1 },
  rate_limited: { times: 2 },
  rate_limited_2: { ...withToken('x'), times: 2 },
};

/** Invalid bodies, by operation. */
const invalidBodies: Readonly<Record<string, string>> = {
  createPlant: '{"id":5}',
  updatePlant: '{"tag":5}',
  createWebhook: '{"url":"x"}',
};

/** The responses that no request to the demo gets, by the reason. */
const unreachable: Readonly<Record<string, RegExp>> = {
  'the service or its store must fail': / (?:defect|unavailable|outcome_unknown)$/,
  'both tokens may read plants and events': /^(?:listPlants|getPlant|listEvents) 403 scope_missing$/,
  'the demo removes no events': /^listEvents 410 cursor_expired$/,
  'the receiver of the sample webhook does not exist, so the tests of its webhook never finish':
    /^redeliver 409 too_many_tests$/,
};

const keyOf = ({ operation, status, name }: DocumentedResponse): string => `${operation.operationId} ${status} ${name}`;
const isReachable = (documented: DocumentedResponse): boolean =>
  !Object.values(unreachable).some((form) => form.test(keyOf(documented)));

const sceneOf = (documented: DocumentedResponse): Scene | undefined => {
  const { operation, status, name, example } = documented;
  if (status === 304) return { parameters: parametersNamed(operation, 'current') };
  if (status < 400) return successes[keyOf(documented)] ?? {};
  if (name === 'invalid_body') return { body: invalidBodies[operation.operationId] ?? '' };
  const [, parameter] = /"The (?:query parameter|header) (\S+) must /.exec(JSON.stringify(example)) ?? [];
  return name === 'invalid_query' && parameter !== undefined ? { parameters: { [parameter]: 'x' } } : rejections[name];
};

const rows = documentedResponses.filter(isReachable).map((documented) => ({
  title: `${keyOf(documented)} ${documented.contentType ?? ''}`.trim(),
  documented,
  scene: sceneOf(documented),
}));

let demo: TestDemo;
let limited: TestDemo;
beforeAll(async () => {
  const start = programName === 'binary' ? startTestDemo : startServedDemo;
  demo = await start();
  limited = await start({ env: { RATE_LIMIT: '1/30d' } });
});
afterAll(async () => {
  await demo[Symbol.asyncDispose]();
  await limited[Symbol.asyncDispose]();
});

/** Sends the request as often as the scene defines, compares the last response to the example, and resets the demo. */
const expectExample = async (documented: DocumentedResponse, { times = 1, ...circumstance }: Scene): Promise<void> => {
  const isLimited = documented.name.startsWith('rate_limited');
  const { send } = isLimited ? limited : demo;
  const request = requestOf(documented, circumstance);
  for (let count = 1; count < times; count += 1) await send(...request);
  const response = await send(...request);
  expect(response.status).toBe(documented.status);
  if (isStream(response)) {
    const { frames, text, cancel } = readFrames(response);
    await frames(6);
    expect(text()).toBe(`${documented.example}`);
    await cancel();
  } else if (response.headers.get('content-type')?.startsWith('text/plain')) {
    // The example of a plain text has only some of its lines.
    const lines = (await response.text()).split('\n');
    expect(lines).toEqual(expect.arrayContaining(`${documented.example}`.split('\n')));
  } else expect(await response.text()).toBe(JSON.stringify(documented.example) ?? '');
  const isChanged = documented.status < 400 && documented.operation.method !== 'get';
  if (isChanged || (times > 1 && !isLimited)) await demo.reset();
};

test('every response in the document has a scene, or one reason why no request gets it', () => {
  expect(rows.filter(({ scene }) => scene === undefined)).toEqual([]);
  expect(rows.length).toBeGreaterThan(150);
  const others = documentedResponses.filter((documented) => !isReachable(documented)).map(keyOf);
  for (const form of Object.values(unreachable)) expect(others.filter((key) => form.test(key))).not.toBeEmpty();
});

test.each(rows)('the demo returns the response of the example: $title', async ({ documented, scene = {} }) => {
  await expectExample(documented, scene);
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
      expect({ parameters, status }).toEqual({ parameters, status: success.status });
      if (method !== 'get') await demo.reset();
    }
  },
);

const withPatch = rows.filter(({ documented: { operation, status } }) => operation.method === 'patch' && status < 400);

test.each(withPatch)(
  'the demo returns the same response when the example of If-Match is sent: $title',
  async ({ documented }) => {
    await expectExample(documented, { parameters: optionalParametersOf(documented.operation) });
  },
);

test('the example of each message about a plant is an event of the demo, apart from its id and sequence', async () => {
  const events: object[] = await jsonOf(await demo.send('GET', '/events'));
  const eventsOfDemo = events.map((event) => JSON.stringify({ ...event, eventId: undefined, sequence: undefined }));
  const messages = operationsOf(document.webhooks)
    .flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}))
    .flatMap(({ examples = {} }) => Object.values(examples).map(({ value }) => value));
  const ofPlants = messages.filter(({ type }) => type !== 'webhook.test');
  expect([messages.length, ofPlants.length]).toEqual([4, 3]);
  for (const message of ofPlants) expect(eventsOfDemo).toContain(JSON.stringify(message));
});

/**
 * The program sends its traces to a real OpenTelemetry Collector, while clients create plants and a receiver gets messages about
 * them. The trace of each request must be complete: the request, its commit and its message, each with the right parent. In every
 * other round the collector is killed under load and started again: no request may be affected, the log must have the number of lost
 * spans, and later requests must be traced again.
 *
 *     bun tests/faults/traces.ts [--rounds 6]
 */
import { generateSecret } from '../../src/base/signature.ts';
import { asJson, giveToken } from '../support/app/app.ts';
import { temporaryFolder } from '../support/folder.ts';
import { type RunningServer, startServer } from '../support/programs/process.ts';
import { openTestStore } from '../support/store/engines.ts';
import { untilOr } from '../support/until.ts';
import { createReceiver, type Receiver } from '../support/webhooks/receiver.ts';
import { comesTrue } from './support/comes-true.ts';
import { readOptions } from './support/options.ts';
import { buildCollector, type OtelCollector, startCollector } from './support/otel-collector.ts';
import { createVerdict } from './support/verdict.ts';

const { rounds } = readOptions(6);
const requestsPerRound = 1500;
const clients = 8;
const slowestMsMax = 2000;
const callerId = '00f067aa0ba902b7';

const program = buildCollector();
const { expect, expectPace, expectWithin, end } = createVerdict();
const counts = { requests: 0, spans: 0, 'lost spans': 0, 'slowest ms': 0, kills: 0 };

/** The id of the trace in which a plant is created. */
const traceIdOf = (id: number): string => `${id}`.padStart(32, '0');

/** Creates plants with ids from `first`, each in a separate trace. */
const create = async (url: string, token: string, first: number, count: number): Promise<void> => {
  let next = first;
  const work = async (): Promise<void> => {
    while (next < first + count) {
      const id = next;
      next += 1;
      const startedAtMs = performance.now();
      const { status } = await fetch(`${url}/plants`, {
        method: 'POST',
        headers: { ...asJson, authorization: `Bearer ${token}`, traceparent: `00-${traceIdOf(id)}-${callerId}-01` },
        body: `{"id":${id},"name":"Monstera"}`,
      });
      counts.requests += 1;
      expectWithin(slowestMsMax, 'a request', { fromMs: startedAtMs });
      counts['slowest ms'] = Math.max(counts['slowest ms'], Math.round(performance.now() - startedAtMs));
      expect(status === 200, `a create got status ${status}`);
    }
  };
  await Promise.all(Array.from({ length: clients }, work));
};

const expectWhole = (id: number, { spans }: OtelCollector, { received }: Receiver): void => {
  const own = spans.filter(({ traceId }) => traceId === traceIdOf(id));
  const [request, message] = ['POST /plants', 'POST'].map((name) => own.filter((span) => span.name === name));
  const commit = spans.filter(({ links = [] }) => links.some(({ traceId }) => traceId === traceIdOf(id)));
  expect(request?.length === 1 && message?.length === 1 && commit.length === 1, 'a trace is not complete');
  const spanId = request?.[0]?.spanId;
  expect(request?.[0]?.parentSpanId === callerId, 'a request is not a child of its caller');
  expect(message?.[0]?.parentSpanId === spanId, 'a message is not a child of its request');
  const header = `00-${traceIdOf(id)}-${message?.[0]?.spanId}-01`;
  expect(
    received.some(({ headers }) => headers['traceparent'] === header),
    'a message has another traceparent',
  );
};

const lostIn = ({ log }: RunningServer): number =>
  log.reduce((sum, { msg, spans }) => sum + (msg === 'spans lost' ? Number(spans) : 0), 0);

const tryRound = async (round: number): Promise<void> => {
  using folder = temporaryFolder();
  using receiver = createReceiver();
  await using collector = await startCollector(program);
  const database = folder.file('p.sqlite');
  const store = await openTestStore(database);
  const token = await giveToken(store);
  await store.webhooks.create({ url: receiver.url, events: ['plant.created'], secret: generateSecret() });
  await store.close();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, WEBHOOK_ALLOW_PRIVATE: 'true' };
  await using server = await startServer(database, { env });

  const isKilled = round % 2 === 0;
  const load = create(server.url, token, 1, requestsPerRound);
  if (isKilled) {
    await comesTrue(() => collector.spans.length > 0);
    await collector.kill();
    counts.kills += 1;
  }
  await load;
  if (isKilled) {
    // A short queue is lost only once the exporter retries no more.
    await comesTrue(() => lostIn(server) > 0);
    await collector.start();
  }
  let firstWhole = 1;
  let last = requestsPerRound;
  const count = () => receiver.received.length;
  const haveArrived = () => comesTrue(() => count() >= last, count);
  if (isKilled) {
    // Spans are exported in their order. Once that of a further request arrives, no older span fills the queue.
    const isBack = async (): Promise<boolean> => {
      last += 1;
      await create(server.url, token, last, 1);
      return untilOr(() => collector.spans.some(({ traceId }) => traceId === traceIdOf(last)), 10_000);
    };
    await haveArrived();
    expect(await comesTrue(isBack), 'requests are not traced again');
    firstWhole = last + 1;
    last += 100;
    await create(server.url, token, firstWhole, 100);
  }
  expect(await haveArrived(), 'not all messages have arrived');
  server.kill();
  expect((await server.exited) === 0, 'the service has not shut down cleanly');

  const lost = lostIn(server);
  if (isKilled) expect(lost > 0, 'no spans were lost with a kill');
  else expectPace(lost === 0, `the log has ${lost} lost spans without a kill: the collector was too slow`);
  if (isKilled || lost === 0) for (let id = firstWhole; id <= last; id += 1) expectWhole(id, collector, receiver);
  counts.spans += collector.spans.length;
  counts['lost spans'] += lost;
};

for (const round of rounds.each(2)) await tryRound(round);
end({ rounds: rounds.count(), ...counts });

/**
 * Measures what the metrics cost per request: the calls that the service makes for a request, in a loop, without the request. Prints
 * the medians of the rounds in nanoseconds of CPU time, and as shares of the budget.
 */
import { createRequestMetrics } from '../../src/http/telemetry.ts';
import { createMetrics, toStoreObserver } from '../../src/telemetry/metrics.ts';

/** The maximum cost of all metrics of a request. */
const budgetNs = 500;

const rounds = 9;
const callsMax = 1_000_000;

/** More series than a busy service has, so that look-ups are not faster here. */
const routes = ['/plants', '/plants/:id', '/events', '/token', '/webhooks', null];
const statuses = [200, 204, 400, 401, 404, 409];
const methods = ['GET', 'POST', 'PATCH', 'DELETE'];

const metrics = createMetrics();
const request = createRequestMetrics(metrics);
const { onBatch, onEvents } = toStoreObserver(metrics);

const countRequest = (index: number): void => {
  request.begin();
  const [method = '', route = null, status = 200] = [methods[index % 4], routes[index % 6], statuses[(index >> 2) % 6]];
  request.end(method, route, status, (index % 1000) / 100);
};

const countBatch = (index: number): void =>
  onBatch?.({
    writes: (index % 256) + 1,
    queuedAtMs: index,
    startedAtMs: index + 0.1,
    endedAtMs: index + 1,
    isCommitted: true,
    traceparents: [],
  });

/** The median CPU time of a call. */
const nanosecondsOf = (call: (index: number) => void): number => {
  const times: number[] = [];
  while (times.length < rounds) {
    const before = process.cpuUsage();
    for (let index = 0; index < callsMax; index += 1) call(index);
    const { user, system } = process.cpuUsage(before);
    times.push(((user + system) * 1000) / callsMax);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN;
};

const rows: readonly [what: string, call: (index: number) => void][] = [
  ['any request', countRequest],
  ['the event of a change', () => onEvents?.('plant.created', 1)],
  ['a batch with any number of changes', countBatch],
];
for (const [what, call] of rows) {
  const nanoseconds = nanosecondsOf(call);
  console.log(`${what}: ${nanoseconds.toFixed(0)} ns, ${(nanoseconds / budgetNs).toFixed(2)} of ${budgetNs} ns`);
}

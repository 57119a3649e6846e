/**
 * What the metrics cost a request: the calls that the service makes for it, in a loop, without the request. Prints the medians of the
 * rounds in nanoseconds of processor time, and as shares of the budget.
 */
import { createRequestMetrics } from '../src/http/request-metrics.ts';
import { createMetrics, toStoreObserver } from '../src/metrics.ts';

/** The most that all metrics of a request may cost. */
const budgetNs = 500;

const rounds = 9;
const callsMax = 1_000_000;

/** More series than a busy service has, so that they are looked up as there. */
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

/** The median of the rounds. */
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
  ['a batch, whatever number of changes it has', countBatch],
];
for (const [what, call] of rows) {
  const nanoseconds = nanosecondsOf(call);
  console.log(`${what}: ${nanoseconds.toFixed(0)} ns, ${(nanoseconds / budgetNs).toFixed(2)} of ${budgetNs} ns`);
}

/**
 * A real Prometheus scrapes the service under load, with the configuration, the alerts and the dashboard of `deploy/`: one process
 * on SQLite, and two on PostgreSQL. Clients create, read, change and remove plants, make mistakes, and follow the log. One of three
 * receivers of webhooks accepts the messages, one refuses them for a while, and one responds with 410. Once all requests have a response,
 * Prometheus must have counted exactly these requests. Every panel must have data. A disabled webhook and a stopped process must
 * fire their alerts, and no others may fire. Where the rate is limited, refused requests must be counted too.
 *
 * In the control Prometheus has a wrong token, and must not reach the service.
 *
 *     bun tests/faults/metrics.ts [--rounds 10] [--seed 1]        a round is a thousand changes on each engine
 */
import { temporaryFolder } from '../support/folder.ts';
import { type Send, startLoad, untilAcknowledged } from '../support/plant-load.ts';
import { startPostgres } from '../support/postgres/postgres-server.ts';
import { readValue, startPrometheus } from '../support/telemetry/prometheus-server.ts';
import { untilOr } from '../support/until.ts';
import { readPanelQueries } from './metering/dashboard.ts';
import { createExpectations, readBy } from './metering/expectations.ts';
import { sendMistakes } from './metering/mistakes.ts';
import { expectOwnFigures, expectWellFormed } from './metering/own-figures.ts';
import { type Scene, startScene } from './metering/scene.ts';
import { createWebhookAnswers, type WebhookAnswers } from './metering/webhook-answers.ts';
import { readOptions, skipWithout } from './support/options.ts';
import { createVerdict } from './support/verdict.ts';

skipWithout('prometheus');
skipWithout('promtool');
const { rounds, random } = readOptions(10);
const { expect, expectPace, count, end } = createVerdict();

const plantsAtFirst = 300;
const changesOfRound = 1000;
const streams = 10;
const requestsToLimits = 100;
/** All except the one whose receiver responds with 410. */
const webhooksEnabled = 2;
const isEnabled = 'plant_store_webhook_enabled == 1';
/** Includes those of the sender and of pruning. */
const writes = 'sum(plant_store_batch_writes_sum)';

const tryScene = async (name: string, database: string, processes: number) => {
  await using scene = await startScene({ name, database, processes }, expect);
  await expectUnreached(scene.targets);
  await createFirstPlants(scene);
  using receivers = createWebhookAnswers();
  const changes = plantsAtFirst + (await changePlants(scene, receivers));
  await expectCounts(scene, receivers, changes);
  for (const server of scene.servers) {
    await expectOwnFigures(scene.prometheus, server, scene.startedSeconds, expect);
    await expectWellFormed(server, scene.metricsToken, expect);
  }
  const panels = await expectPanels(scene);
  await expectAlerts(scene);
  const requests = Object.values(scene.tally.counts()).reduce((sum, count) => sum + count, 0);
  return { scene: name, requests, 'changes acknowledged': changes, 'queries of panels': panels };
};

/** A client with a token, and one with a wrong one, send more than the limits allow. Scrapes stay within them. */
const tryLimits = async (database: string): Promise<Record<string, number>> => {
  await using scene = await startScene(
    { name: 'limits', database, processes: 1, env: { RATE_LIMIT: '10/1s' } },
    expect,
  );
  const { prometheus, tally, expectations } = scene;
  const wrong = { authorization: 'Bearer wrong' };
  const sending = Array.from({ length: requestsToLimits }, () => [
    tally.send('GET', '/plants', { headers: {} }),
    tally.send('GET', '/token', { headers: wrong }),
  ]);
  await Promise.all(sending.flat());
  const refused = { token: tally.counts()['GET /plants 429'] ?? 0, address: tally.counts()['GET /token 429'] ?? 0 };
  expect(refused.token > 0 && refused.address > 0, 'limits: nothing was refused');
  await expectations.equal('requests', () => readBy(prometheus, requests, requestLabels), tally.counts);
  await expectations.equal(
    'refused requests',
    () => readBy(prometheus, 'plant_store_rate_limited_requests_total', ['policy']),
    () => refused,
  );
  return refused;
};

/** The control. */
const expectUnreached = async (targets: readonly string[]): Promise<void> => {
  await using prometheus = await startPrometheus(targets, 'plant_wrong');
  const { equal } = createExpectations('a wrong token', prometheus, expect);
  const read = async () => (await prometheus.targets()).map(({ health, lastError }) => `${health}: ${lastError}`);
  await equal('targets', read, () => targets.map(() => 'down: server returned HTTP status 401 Unauthorized'));
};

/** Nothing else writes meanwhile: the start is over, and there are no webhooks. So batches must have exactly these writes. */
const createFirstPlants = async ({ prometheus, expectations: { value }, post }: Scene): Promise<void> => {
  await value(`count(${writes})`, 1);
  const writesBefore = await readValue(prometheus, writes);
  const ids = Array.from({ length: plantsAtFirst }, (_, index) => 1_000_000 + index);
  await Promise.all(ids.map((id) => post('/plants', { id, name: 'n' })));
  await value(writes, writesBefore + plantsAtFirst);
};

/** Resolves to the number of acknowledged changes. */
const changePlants = async (
  { name, expectations: { value }, tally: { send }, post }: Scene,
  receivers: WebhookAnswers,
): Promise<number> => {
  for (const url of receivers.urls) await post('/webhooks', { url });
  const leave = await openStreams(send);
  await value('sum(plant_store_streams)', streams);
  await using load = startLoad(send, { clients: 32, random, pauseMs: 5 });
  for (const round of rounds.each()) {
    await Promise.all([sendMistakes(send), untilAcknowledged(load, changesOfRound)]);
    console.error(`${name}: round ${round}, ${load.acknowledged()} changes acknowledged`);
  }
  await load.stop();
  for (const fault of load.faults()) expect(false, `${name}: ${fault}`);
  leave();
  await value('sum(plant_store_streams)', 0);
  await value(`count(count by (webhook_id) (plant_store_webhook_failing_seconds > 0 and ${isEnabled}))`, 1);
  receivers.mend();
  await post('/plants', { id: 2_000_000, name: 'n' });
  return load.acknowledged() + 1;
};

/** Opens streams of the log, and reads them. Resolves to a function that ends them. */
const openStreams = async (send: Send): Promise<() => void> => {
  const ended = new AbortController();
  const open = () => send('GET', '/events', { headers: { accept: 'text/event-stream' }, signal: ended.signal });
  for (const response of await Promise.all(Array.from({ length: streams }, open))) void response.text().catch(() => {});
  return () => ended.abort();
};

const expectCounts = async (scene: Scene, receivers: WebhookAnswers, changes: number): Promise<void> => {
  const { name, prometheus, tally } = scene;
  const { equal, value } = scene.expectations;
  await equal('requests', () => readBy(prometheus, requests, requestLabels), tally.counts);
  await equal('attempts', () => readBy(prometheus, attempts, ['outcome']), receivers.counts);
  await value('sum(plant_store_leases)', webhooksEnabled);
  await value(`max(plant_store_webhook_lag_events and ${isEnabled})`, 0);
  await value(`max(plant_store_webhook_failing_seconds and ${isEnabled})`, 0);
  await value('max(plant_store_log_head)', changes);
  await value('sum(plant_store_events_total)', changes);
  await value(`${writes} >= bool ${changes}`, 1);
  for (const difference of differences) await value(difference, 0);
  const [answered, waited] = [await readValue(prometheus, answerSeconds), tally.waitedSeconds()];
  expect(answered > 0 && answered < waited, `${name}: ${answered} s until the responses, ${waited} s for the clients`);
};

/** The scrapes are requests too. */
const ofClients = 'http_route!="/metrics"';
const answerSeconds = `sum(http_server_request_duration_seconds_sum{${ofClients}})`;
const requestLabels = ['http_request_method', 'http_route', 'http_response_status_code'];
const requests = `sum by (${requestLabels}) (http_server_request_duration_seconds_count{${ofClients}})`;
const attempts = 'sum by (outcome) (plant_store_webhook_attempts_total) > 0';

/** Values that must be 0 at rest: two metrics count the same, and only scrapes are active. */
const differences = [
  'sum(plant_store_webhook_attempt_duration_seconds_count) - sum(plant_store_webhook_attempts_total)',
  'sum(plant_store_batch_wait_seconds_count) - sum(plant_store_batch_commit_duration_seconds_count)',
  'sum(plant_store_batch_writes_count) - sum(plant_store_batch_commit_duration_seconds_count{outcome="committed"})',
  'sum({__name__=~".+_bucket", le="+Inf"}) - sum({__name__=~".+_count", __name__!="plant_store_event_loop_delay_seconds_count"})',
  'max(plant_store_queued_writes)',
  'max(http_server_active_requests) - 1',
];

/** Expects that every panel has data, except that of retries. Resolves to the number of queries. */
const expectPanels = async ({ name, prometheus }: Scene): Promise<number> => {
  const queries = await readPanelQueries('plant-store');
  for (const { panel, expression } of queries) {
    if (expression.includes(mayBeEmpty)) continue;
    const samples = await prometheus.query(expression);
    const hasData = samples.some(({ value }) => Number.isFinite(value));
    expect(hasData, `${name}: the panel "${panel}" has no data: ${expression}`);
  }
  return queries.length;
};

/** There are no conflicts on SQLite, and few on PostgreSQL. */
const mayBeEmpty = 'plant_store_retries_total';

/**
 * Stops a process. Other processes must take over its webhooks. If it was the only process, the metrics of the webhooks end, and so does
 * the alert for the disabled one.
 */
const expectAlerts = async ({ name, servers, prometheus, expectations: { equal, value } }: Scene): Promise<void> => {
  const read = async (isAsked: (alert: string) => boolean): Promise<string[]> => {
    const firing = (await prometheus.alerts()).filter(({ state }) => state === 'firing');
    return firing
      .flatMap(({ labels }) => labels['alertname'] ?? [])
      .filter(isAsked)
      .sort();
  };
  const isSlow = (alert: string): boolean => alertsOfPace.includes(alert);
  const expectFiring = async (...alerts: string[]): Promise<void> => {
    const others = () => read((alert) => !isSlow(alert));
    await equal('alerts', others, () => alerts);
    const isPrompt = await untilOr(async () => (await read(isSlow)).length === 0, slowMsMax);
    expectPace(isPrompt || isBusy(), `${name}: an alert of a slow service fires: ${await read(isSlow)}`);
  };
  await expectFiring('PlantStoreWebhookDisabled');
  servers.at(-1)?.kill();
  if (servers.length === 1) return expectFiring('PlantStoreDown');
  await expectFiring('PlantStoreDown', 'PlantStoreWebhookDisabled');
  await value('sum(plant_store_leases)', webhooksEnabled);
};

/** They fire on a slow machine. */
const alertsOfPace = [
  'PlantStoreSlowWrites',
  'PlantStoreWriteQueue',
  'PlantStoreWebhookBehind',
  'PlantStoreEventLoopDelay',
  'PlantStoreRetries',
];
const slowMsMax = 20_000;
/** Whether the trial has had a processor for less than half of its time. */
const isBusy = (): boolean => count({ fromMs: 0, ms: 1 }) < 0.5;

using folder = temporaryFolder();
await using postgres = await startPostgres();
const scenes = [tryScene('SQLite', folder.file('plants.sqlite'), 1), tryScene('PostgreSQL', postgres.url, 2)];
const refused = tryLimits(folder.file('limits.sqlite'));
console.table(await Promise.all(scenes));
console.table([{ scene: 'limits, refused by', ...(await refused) }]);
end({ rounds: rounds.count() });

/**
 * The primary of two PostgreSQL servers fails repeatedly, and its synchronous standby is promoted, while 48 clients
 * create, read, change and remove plants through two processes, and webhooks are sent. Each request with status 503 is
 * repeated. All responses are recorded: for each plant there must be an order of its requests that explains them, so that no
 * acknowledged change is lost. The control is an asynchronous standby that lags: it must lose some changes.
 *
 *     bun tests/faults/failover.ts [--rounds 42] [--seed 1]        a round is one interruption
 */

import { type Load, sendInTurn, startLoad, untilAcknowledged } from '../support/plant-load.ts';
import { findAllBinaries } from '../support/postgres/postgres-binaries.ts';
import { type PostgresPair, startPair } from '../support/postgres/postgres-pair.ts';
import { type RunningServer, runProgram, startServer } from '../support/programs/process.ts';
import { promisedMs } from '../support/promised.ts';
import { auditDeliveries, countLost, readPayloads } from '../support/webhooks/delivery-audit.ts';
import { createReceiver } from '../support/webhooks/receiver.ts';
import { comesTrue } from './support/comes-true.ts';
import { createDatabase } from './support/database.ts';
import { countsOf, expectExplained, stopInOrder } from './support/load-verdict.ts';
import { createLongest } from './support/longest.ts';
import { readOptions, skip } from './support/options.ts';
import { ask, untilResumed } from './support/resume.ts';
import { createVerdict } from './support/verdict.ts';

const { rounds, random } = readOptions(42);
const clients = 48;
const awayMsMax = 8000;

const env = { WEBHOOK_ALLOW_PRIVATE: 'true' };
/** Often short, so that many outcomes can be determined before the deadlines. */
const randomMs = (): number => awayMsMax * random() ** 3;

const programs = findAllBinaries() ?? skip('pg_basebackup is not installed');
const { expect, expectWithin, end } = createVerdict();

/** Kills the primary while commits wait for the standby. */
const killWaiting = async (pair: PostgresPair): Promise<void> => {
  await pair.untilCommitWaits();
  await Bun.sleep(randomMs());
  await pair.primary().kill();
};

interface Way {
  /** Stops the primary, or the standby that its commits wait for. */
  readonly leave: (pair: PostgresPair) => Promise<void>;
  /** Whether both processes must detect it before the standby is promoted. */
  readonly isNoticed?: boolean;
  /** Absent for a failover: the standby is promoted. */
  readonly comeBack?: (pair: PostgresPair) => Promise<void>;
}

const ways: Readonly<Record<string, Way>> = {
  killed: { leave: (pair) => pair.primary().kill(), isNoticed: true },
  'stopped in order': { leave: (pair) => pair.primary().stop() },
  frozen: { leave: async (pair) => pair.primary().freeze() },
  'killed before commits arrive': {
    leave: async (pair) => {
      await pair.lag();
      await killWaiting(pair);
    },
  },
  'killed before commits are confirmed': {
    leave: async (pair) => {
      pair.standby().freeze();
      await killWaiting(pair);
      pair.standby().thaw();
    },
  },
  'standby restarted': {
    leave: (pair) => pair.standby().stop(),
    comeBack: (pair) => pair.standby().start(),
  },
};

const startClients = (servers: readonly RunningServer[], headers: Readonly<Record<string, string>>): Load =>
  startLoad(
    sendInTurn(
      servers.map(({ url }) => url),
      headers,
    ),
    {
      clients,
      plants: 1000,
      random,
      pauseMs: 30,
      repeats: true,
      onResponse: (time) => expectWithin(promisedMs.answered, 'a response', time),
    },
  );

/** How many plants lost an acknowledged change to the failover to a standby that lagged. */
const countLostWithoutSync = async (): Promise<number> => {
  await using pair = await startPair(programs);
  const headers = await createDatabase(pair.url);
  await using server = await startServer(pair.url);
  await using load = startClients([server], headers);
  await untilAcknowledged(load, 500);
  await pair.lag();
  await untilAcknowledged(load, 500);
  await pair.primary().kill();
  await pair.promote();
  await untilAcknowledged(load, 500);
  await load.stop();
  return load.unexplained().size;
};

const lostWithoutSync = await countLostWithoutSync();
expect(lostWithoutSync > 0, 'an asynchronous standby that lagged lost nothing, so this trial would not notice a loss');

await using pair = await startPair(programs);
const headers = await createDatabase(pair.url);
using receiver = createReceiver();
const added = await runProgram(['webhook', 'add', receiver.url, '--database', pair.url], { env });
const secret = added.stdout.trim().split('\t')[1] ?? '';
await using first = await startServer(pair.url, { env });
await using second = await startServer(pair.url, { env });
const servers = [first, second];
await using load = startClients(servers, headers);

/** Resolves to the time from the promotion until both processes read and write again. */
const interrupt = async (name: string, { leave, isNoticed, comeBack }: Way): Promise<number> => {
  await leave(pair);
  let isBack = false;
  const readiness = servers.map(async (server) => {
    const status = await ask(`${server.url}/readyz`);
    // Reads do not need the standby.
    expect(isBack || status === (comeBack ? 200 : 503), `${name}: /readyz got status ${status} meanwhile`);
  });
  await Bun.sleep(randomMs());
  if (isNoticed) await Promise.all(readiness);
  for (const server of servers)
    expect((await ask(`${server.url}/healthz`)) === 200, `${name}: /healthz did not get 200`);
  isBack = true;
  const startedAtMs = performance.now();
  await (comeBack ?? pair.promote)(pair);
  await Promise.all(servers.map((server) => untilResumed(server, headers)));
  const resumedMs = Math.round(performance.now() - startedAtMs);
  expectWithin(promisedMs.resumed, `${name}: the next write`, { fromMs: startedAtMs, toMs: startedAtMs + resumedMs });
  await Promise.all(readiness);
  if (!comeBack) {
    await pair.rejoin();
    await pair.synchronize();
  }
  return resumedMs;
};

await pair.synchronize();
const longest = createLongest();
for (const [round, name, way] of rounds.eachOf(ways)) {
  await untilAcknowledged(load, 200);
  const resumedMs = await interrupt(name, way);
  longest.note(name, 'writes resumed after at most, ms', resumedMs);
  console.error(`round ${round}, ${name}: ${load.acknowledged()} changes acknowledged`);
}
await load.stop();

const owed = { payloads: await readPayloads(second.url, headers), secret, timesOwed: () => 1 };
await comesTrue(
  () => countLost(receiver.received, owed) === 0,
  () => receiver.received.length,
);
const { messages, lost, invented, duplicates } = auditDeliveries(receiver.received, owed);
expect(lost === 0, `${lost} events were not sent to the webhook`);
expect(invented === 0, `${invented} messages were sent that the log does not have`);

await expectExplained(load, pair.primary().url, expect);
expect(load.count('given up') > 0, 'no request was given up, so no request without a response was repeated');
await stopInOrder(servers, expect);
longest.print();
end({
  rounds: rounds.count(),
  ...countsOf(load),
  'given up': load.count('given up'),
  'slowest response, ms': Math.round(load.slowestMs()),
  messages,
  duplicates,
  'plants with a loss without sync': lostWithoutSync,
});

/**
 * Kills a server repeatedly with SIGKILL, and at times stops it with SIGTERM, at random moments while clients change plants and
 * webhooks are sent, on one database. In the end every event must have been delivered at least once,
 * exactly as in the log, and nothing else.
 *
 *     bun tests/faults/kill-sender.ts [--rounds 50] [--seed 1]
 */

import { temporaryFolder } from '../support/folder.ts';
import { runProgram, startServer } from '../support/programs/process.ts';
import { auditDeliveries, countLost, type Owed, readPayloads } from '../support/webhooks/delivery-audit.ts';
import { createReceiver, type Receiver, taken } from '../support/webhooks/receiver.ts';
import { comesTrue } from './support/comes-true.ts';
import { createDatabase, expireLeases, inspectDatabase } from './support/database.ts';
import { readOptions } from './support/options.ts';
import { createVerdict } from './support/verdict.ts';

const { rounds, random } = readOptions(50);

const clients = 8;
const { expect, end } = createVerdict();

using folder = temporaryFolder();
const database = folder.file('plants.sqlite');
const env = { WEBHOOK_ALLOW_PRIVATE: 'true' };
const headers = await createDatabase(database);

/** One accepts everything immediately; the other is slow at times, and refuses some messages the first time. */
using steady = createReceiver();
const refused = new Set<string>();
using moody = createReceiver(async ({ headers: sent }) => {
  const id = sent['webhook-id'] ?? '';
  const mood = random();
  if (mood < 0.05 && !refused.has(id)) {
    refused.add(id);
    return new Response('no', { status: 500 });
  }
  if (mood < 0.3) await Bun.sleep(30 * random());
  return taken();
});
const secrets = new Map<string, string>();
for (const { url } of [steady, moody]) {
  const added = await runProgram(['webhook', 'add', url, '--database', database], { env });
  secrets.set(url, added.stdout.trim().split('\t')[1] ?? '');
}

let nextId = 1;
const acknowledged = new Set<number>();

/** Creates plants, changes some and removes some, until the server has ended. */
const change = async (url: string): Promise<void> => {
  for (;;) {
    const id = nextId;
    nextId += 1;
    const send = (method: string, path: string, body?: string) =>
      fetch(url + path, { method, headers, ...(body !== undefined && { body }) });
    try {
      const created = await send('POST', '/plants', `{"id":${id},"name":"n"}`);
      if (created.status === 200) acknowledged.add(id);
      if (random() < 0.3) await send('PATCH', `/plants/${id}`, '{"name":"m"}');
      if (random() < 0.3) await send('DELETE', `/plants/${id}`);
    } catch {
      return;
    }
  }
};

for (const round of rounds.each()) {
  await using server = await startServer(database, { env });
  const changing = Array.from({ length: clients }, () => change(server.url));
  await Bun.sleep(400 * random());
  server.kill(random() < 0.3 ? 'SIGTERM' : 'SIGKILL');
  await Promise.all([server.exited, ...changing]);
  // The next server sends immediately, and is killed too.
  expireLeases(database);
  if (round % 10 === 0) console.error(`round ${round}: ${acknowledged.size} plants acknowledged`);
}

await using server = await startServer(database, { env });
const payloads = await readPayloads(server.url, headers);

const owedTo = ({ url }: Receiver): Owed => ({
  payloads,
  secret: secrets.get(url) ?? '',
  timesOwed: (id) => (url === moody.url && refused.has(id) ? 2 : 1),
});
const isWaiting = (receiver: Receiver): boolean => countLost(receiver.received, owedTo(receiver)) > 0;

await comesTrue(
  () => ![steady, moody].some(isWaiting),
  () => steady.received.length + moody.received.length,
);

const created = [...payloads.values()].filter(({ type }) => type === 'plant.created').length;
const logged = new Set([...payloads.values()].map((payload) => 'id' in payload && payload.id));
const unlogged = [...acknowledged].filter((id) => !logged.has(id)).length;
server.kill();
await server.exited;
const { isWhole, isLogTrue } = inspectDatabase(database);

const table = [
  { receiver: 'steady', ...auditDeliveries(steady.received, owedTo(steady)) },
  { receiver: 'moody', ...auditDeliveries(moody.received, owedTo(moody)) },
];
console.table(table);
for (const { receiver, lost, invented } of table) {
  expect(lost === 0, `${receiver}: ${lost} events were not delivered`);
  expect(invented === 0, `${receiver}: ${invented} messages were invented`);
}
expect(unlogged === 0, `${unlogged} acknowledged plants have no event`);
expect(isWhole && isLogTrue, 'the file is damaged, or the log is unlike the plants');
end({ 'kills and stops': rounds.count(), acknowledged: acknowledged.size, created, events: payloads.size });

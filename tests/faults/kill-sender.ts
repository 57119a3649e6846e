/**
 * Kills a server with SIGKILL, and now and then stops it with SIGTERM, at random moments while clients change plants and
 * webhooks are being sent, many times over, on one database. In the end every event must have been delivered at least once,
 * exactly as the log has it, and nothing else.
 *
 *     bun tests/faults/kill-sender.ts [--rounds 50] [--seed 1]
 */
import { Webhook } from 'standardwebhooks';
import { temporaryFolder } from '../support/folder.ts';
import { type RunningServer, runProgram, startServer } from '../support/process.ts';
import { createReceiver, type Receiver, taken } from '../support/receiver.ts';
import { createDatabase, expireLeases, inspectDatabase } from './database.ts';
import { readOptions } from './options.ts';

const { rounds, random } = readOptions(50);

const clients = 8;
const lastWaitMs = 60_000;

interface Event {
  readonly eventId: string;
  readonly sequence: number;
}

using folder = temporaryFolder();
const database = folder.file('plants.sqlite');
const env = { WEBHOOK_ALLOW_PRIVATE: 'true' };
const headers = await createDatabase(database);

/** One takes everything at once; the other is slow now and then, and refuses some messages the first time. */
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

/** Creates plants, changes some and removes some, until the server is gone. */
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

for (let round = 1; round <= rounds; round += 1) {
  await using server = await startServer(database, { env });
  const changing = Array.from({ length: clients }, () => change(server.url));
  await Bun.sleep(400 * random());
  server.kill(random() < 0.3 ? 'SIGTERM' : 'SIGKILL');
  await Promise.all([server.exited, ...changing]);
  // The next server sends at once, and is killed too.
  expireLeases(database);
  if (round % 10 === 0) console.error(`round ${round} of ${rounds}: ${acknowledged.size} plants acknowledged`);
}

const readLog = async ({ url }: RunningServer): Promise<Map<string, object>> => {
  const log = new Map<string, object>();
  for (let after = ''; ; ) {
    const response = await fetch(`${url}/events?limit=1000${after}`, { headers });
    const page: (Event & object)[] = JSON.parse(await response.text());
    for (const { eventId, sequence: _, ...payload } of page) log.set(eventId, payload);
    const last = page.at(-1);
    if (!last || !response.headers.has('link')) return log;
    after = `&after=${last.eventId}`;
  }
};

await using server = await startServer(database, { env });
const log = await readLog(server);

/** What a receiver lacks, what it should not have, and what came more than once. What it refused has to come again. */
const judge = ({ url, received }: Receiver) => {
  const verifier = new Webhook(secrets.get(url) ?? '');
  const counts = new Map<string, number>();
  let invented = 0;
  for (const { headers: sent, body } of received) {
    const id = sent['webhook-id'] ?? '';
    counts.set(id, (counts.get(id) ?? 0) + 1);
    const isOfLog = Bun.deepEquals(log.get(id), JSON.parse(body));
    // Signed anew by the independent library, since by now the message is too old for it to verify.
    const at = new Date(Number(sent['webhook-timestamp']) * 1000);
    const signature = verifier.sign(id, at, body);
    if (!isOfLog || sent['webhook-signature'] !== signature) invented += 1;
  }
  const timesOwed = (id: string): number => (url === moody.url && refused.has(id) ? 2 : 1);
  const lost = [...log.keys()].filter((id) => (counts.get(id) ?? 0) < timesOwed(id)).length;
  return { messages: received.length, again: received.length - counts.size, lost, invented };
};

const giveUpAtMs = performance.now() + lastWaitMs;
while (performance.now() < giveUpAtMs && [steady, moody].some((receiver) => judge(receiver).lost > 0)) {
  await Bun.sleep(500);
}

const created = [...log.values()].filter((event) => 'type' in event && event.type === 'plant.created').length;
const logged = new Set([...log.values()].map((event) => 'id' in event && event.id));
const unlogged = [...acknowledged].filter((id) => !logged.has(id)).length;
server.kill();
await server.exited;
const { isWhole, isLogTrue } = inspectDatabase(database);

const table = [
  { receiver: 'steady', ...judge(steady) },
  { receiver: 'moody', ...judge(moody) },
];
console.table(table);
console.log(
  `${rounds} kills and stops; ${acknowledged.size} plants acknowledged, ${created} created by the log, ${log.size} events; ` +
    `${unlogged} acknowledged plants without an event; the file is ${isWhole ? 'whole' : 'damaged'}`,
);
const isAllDelivered = table.every(({ lost, invented }) => lost === 0 && invented === 0);
process.exit(isAllDelivered && unlogged === 0 && isWhole && isLogTrue ? 0 : 1);

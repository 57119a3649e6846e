/**
 * The floor: a sender without leases, retries, requests or a log. On SIGUSR2 it sends COUNT new messages to each URL, signed, 16 at a time
 * to each URL. With a DATABASE, one synced transaction records the outcomes of each iteration, a row for each delivery, and the positions.
 */
import { Database } from 'bun:sqlite';
import { createHmac, randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

const { DATABASE, COUNT, URLS = '' } = process.env;
const concurrency = 16;
const count = Number(COUNT);
const urls = URLS.split(' ');
const key = randomBytes(24);

const openDatabase = (path: string) => {
  const db = new Database(path, { create: true, strict: true });
  for (const pragma of ['journal_mode = WAL', 'synchronous = FULL']) db.run(`PRAGMA ${pragma}`);
  db.run(`CREATE TABLE deliveries (webhook INTEGER, sequence INTEGER, attempts TEXT NOT NULL, attemptsInRound INTEGER NOT NULL,
    nextAttemptAt TEXT, PRIMARY KEY (webhook, sequence))`);
  db.run('CREATE TABLE positions (webhook INTEGER PRIMARY KEY, position INTEGER NOT NULL)');
  const insert = db.prepare('INSERT INTO deliveries VALUES ($webhook, $sequence, $attempts, 1, NULL)');
  const move = db.prepare('INSERT OR REPLACE INTO positions VALUES ($webhook, $position)');
  return db.transaction((ended: readonly Ended[]) => {
    for (const { webhook, sequence, attempt } of ended)
      insert.run({ webhook, sequence, attempts: JSON.stringify([attempt]) });
    for (const { webhook, sequence } of new Map(ended.map((one) => [one.webhook, one])).values())
      move.run({ webhook, position: sequence });
  });
};

interface Ended {
  readonly webhook: number;
  readonly sequence: number;
  readonly attempt: { readonly at: string; readonly durationMs: number; readonly status: number };
}

const record = DATABASE === undefined ? () => {} : openDatabase(DATABASE);

const post = async (url: string, sequence: number): Promise<Ended['attempt']> => {
  const at = new Date();
  const startedAtMs = performance.now();
  const id = `evt_${sequence}_abcdefghijklmnop`;
  const timestamp = `${Math.floor(at.getTime() / 1000)}`;
  const body = `{"type":"plant.created","timestamp":"${at.toISOString()}","id":${sequence},"name":"Monstera","tag":"tropical"}`;
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
    body,
  });
  await response.arrayBuffer();
  return {
    at: at.toISOString(),
    durationMs: Math.round(performance.now() - startedAtMs),
    status: response.status,
  };
};

let sent = 0;

const send = async (): Promise<void> => {
  const first = sent + 1;
  sent += count;
  const next = urls.map(() => first);
  const inFlight = urls.map(() => 0);
  let ended: Ended[] = [];
  let wakeUp = Promise.withResolvers<void>();
  const attempt = async (webhook: number, sequence: number): Promise<void> => {
    const result = await post(urls[webhook] ?? '', sequence);
    ended.push({ webhook, sequence, attempt: result });
    wakeUp.resolve();
  };
  for (let recorded = 0; recorded < count * urls.length; ) {
    for (const webhook of urls.keys()) {
      for (; (inFlight[webhook] ?? 0) < concurrency && (next[webhook] ?? 0) <= sent; ) {
        void attempt(webhook, next[webhook] ?? 0);
        next[webhook] = (next[webhook] ?? 0) + 1;
        inFlight[webhook] = (inFlight[webhook] ?? 0) + 1;
      }
    }
    await wakeUp.promise;
    wakeUp = Promise.withResolvers();
    await setImmediate();
    const batch = ended;
    ended = [];
    record(batch);
    recorded += batch.length;
    for (const { webhook } of batch) inFlight[webhook] = (inFlight[webhook] ?? 0) - 1;
  }
};

process.on('SIGUSR2', () => void send());
setInterval(() => {}, 60_000);
console.log('listening for SIGUSR2');

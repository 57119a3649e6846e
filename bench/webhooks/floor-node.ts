/** The floor on Node and Deno: as `floor.ts`, by `node:http` and `node:sqlite`. It always records the outcomes. */
import { createHmac, randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import process, { env } from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';

interface Ended {
  readonly webhook: number;
  readonly sequence: number;
  readonly attempt: { readonly at: string; readonly durationMs: number; readonly status: number };
}

const { DATABASE = ':memory:', COUNT, URLS = '' } = env;
const concurrency = 16;
const count = Number(COUNT);
const urls = URLS.split(' ').map((url) => new URL(url));
const key = randomBytes(24);
const agent = new Agent({ keepAlive: true });

const db = new DatabaseSync(DATABASE);
for (const pragma of ['journal_mode = WAL', 'synchronous = FULL']) db.exec(`PRAGMA ${pragma}`);
db.exec(`CREATE TABLE deliveries (webhook INTEGER, sequence INTEGER, attempts TEXT NOT NULL, attemptsInRound INTEGER NOT NULL,
  nextAttemptAt TEXT, PRIMARY KEY (webhook, sequence))`);
db.exec('CREATE TABLE positions (webhook INTEGER PRIMARY KEY, position INTEGER NOT NULL)');
const insert = db.prepare('INSERT INTO deliveries VALUES (?, ?, ?, 1, NULL)');
const move = db.prepare('INSERT OR REPLACE INTO positions VALUES (?, ?)');

const record = (ended: readonly Ended[]): void => {
  db.exec('BEGIN IMMEDIATE');
  for (const { webhook, sequence, attempt } of ended) insert.run(webhook, sequence, JSON.stringify([attempt]));
  for (const { webhook, sequence } of new Map(ended.map((one) => [one.webhook, one])).values())
    move.run(webhook, sequence);
  db.exec('COMMIT');
};

const post = (url: URL, sequence: number): Promise<Ended['attempt']> =>
  new Promise((resolve, reject) => {
    const at = new Date();
    const startedAtMs = performance.now();
    const id = `evt_${sequence}_abcdefghijklmnop`;
    const timestamp = `${Math.floor(at.getTime() / 1000)}`;
    const body = `{"type":"plant.created","timestamp":"${at.toISOString()}","id":${sequence},"name":"Monstera","tag":"tropical"}`;
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    const headers = {
      'content-type': 'application/json',
      'content-length': body.length,
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    };
    const sent = request(
      { agent, method: 'POST', host: url.hostname, port: url.port, path: url.pathname, headers },
      (response) => {
        response.resume();
        response.on('end', () => {
          const durationMs = Math.round(performance.now() - startedAtMs);
          resolve({ at: at.toISOString(), durationMs, status: response.statusCode ?? 0 });
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });

let sent = 0;

const send = async (): Promise<void> => {
  const first = sent + 1;
  sent += count;
  const next = urls.map(() => first);
  const inFlight = urls.map(() => 0);
  let ended: Ended[] = [];
  let wakeUp = Promise.withResolvers<void>();
  const attempt = async (webhook: number, url: URL, sequence: number): Promise<void> => {
    const result = await post(url, sequence);
    ended.push({ webhook, sequence, attempt: result });
    wakeUp.resolve();
  };
  for (let recorded = 0; recorded < count * urls.length; ) {
    for (const [webhook, url] of urls.entries()) {
      while ((inFlight[webhook] ?? 0) < concurrency && (next[webhook] ?? 0) <= sent) {
        void attempt(webhook, url, next[webhook] ?? 0);
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

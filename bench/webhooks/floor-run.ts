/**
 * What the floors of all runtimes share. A floor is a sender without leases, retries, requests or a log. On SIGUSR2 it sends COUNT new messages
 * to each URL, signed, 16 at a time to each URL.
 */
import { createHmac, randomBytes } from 'node:crypto';
import process, { env } from 'node:process';
import { setImmediate } from 'node:timers/promises';

export interface Attempt {
  readonly at: string;
  readonly durationMs: number;
  readonly status: number;
}

export interface Ended {
  readonly webhook: number;
  readonly sequence: number;
  readonly attempt: Attempt;
}

const concurrency = 16;
const { COUNT, URLS = '' } = env;
const count = Number(COUNT);
const urls = URLS.split(' ').map((url) => new URL(url));
const key = randomBytes(24);

/** The statements that a database begins with. */
export const tables = [
  'PRAGMA journal_mode = WAL',
  'PRAGMA synchronous = FULL',
  `CREATE TABLE deliveries (webhook INTEGER, sequence INTEGER, attempts TEXT NOT NULL, attemptsInRound INTEGER NOT NULL,
    nextAttemptAt TEXT, PRIMARY KEY (webhook, sequence))`,
  'CREATE TABLE positions (webhook INTEGER PRIMARY KEY, position INTEGER NOT NULL)',
];
/** Its values are the webhook, the sequence, and the attempts as JSON. */
export const insertDelivery = 'INSERT INTO deliveries VALUES (?, ?, ?, 1, NULL)';
/** Its values are the webhook and the position. */
export const movePosition = 'INSERT OR REPLACE INTO positions VALUES (?, ?)';

/** The new position of each webhook. */
export const positionsOf = (ended: readonly Ended[]): readonly Ended[] => [
  ...new Map(ended.map((one) => [one.webhook, one])).values(),
];

export const createMessage = (sequence: number, at: Date) => {
  const id = `evt_${sequence}_abcdefghijklmnop`;
  const timestamp = `${Math.floor(at.getTime() / 1000)}`;
  const body = `{"type":"plant.created","timestamp":"${at.toISOString()}","id":${sequence},"name":"Monstera","tag":"tropical"}`;
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
  return { headers, body };
};

/** `record` records the attempts of an iteration. */
export const startFloor = (
  post: (url: URL, sequence: number) => Promise<Attempt>,
  record: (ended: readonly Ended[]) => void,
): void => {
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
};

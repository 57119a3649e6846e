/** The floor on Node and Deno: as `floor.ts`, by `node:http` and `node:sqlite`. It always records the outcomes. */
import { Agent, request } from 'node:http';
import { env } from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import {
  type Attempt,
  createMessage,
  type Ended,
  insertDelivery,
  movePosition,
  positionsOf,
  startFloor,
  tables,
} from './floor-run.ts';

const agent = new Agent({ keepAlive: true });
const db = new DatabaseSync(env['DATABASE'] ?? ':memory:');
for (const statement of tables) db.exec(statement);
const insert = db.prepare(insertDelivery);
const move = db.prepare(movePosition);

const record = (ended: readonly Ended[]): void => {
  db.exec('BEGIN IMMEDIATE');
  for (const { webhook, sequence, attempt } of ended) insert.run(webhook, sequence, JSON.stringify([attempt]));
  for (const { webhook, sequence } of positionsOf(ended)) move.run(webhook, sequence);
  db.exec('COMMIT');
};

const post = (url: URL, sequence: number): Promise<Attempt> =>
  new Promise((resolve, reject) => {
    const at = new Date();
    const startedAtMs = performance.now();
    const { headers, body } = createMessage(sequence, at);
    const { hostname: host, port, pathname: path } = url;
    const sent = request(
      { agent, method: 'POST', host, port, path, headers: { ...headers, 'content-length': body.length } },
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

startFloor(post, record);

/**
 * The floor of a get on Node.js and Deno: `node:http` and `node:sqlite`, with the same work for each request. It looks up the token, reads the
 * plant, makes its entity tag and its JSON, and logs a line. As in the service, the requests of one turn of the event loop share a transaction and
 * a write to the log. It has no other route, and no schema, metric, time limit or failure.
 */
import { hash, randomUUID } from 'node:crypto';
import { openSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import { env } from 'node:process';
import { DatabaseSync } from 'node:sqlite';

const { DATABASE = '', LOG = '', PORT } = env;
const database = new DatabaseSync(DATABASE, { readOnly: true, readBigInts: true });
const token = database.prepare('SELECT scopes, expires_at, revoked_at FROM tokens WHERE digest = ?');
const plant = database.prepare('SELECT id, name, tag, created_at, updated_at FROM plants WHERE id = ?');
const begin = database.prepare('BEGIN');
const rollback = database.prepare('ROLLBACK');
const log = openSync(LOG, 'a');
let lines: string[] = [];

const endTurn = (): void => {
  rollback.run();
  writeSync(log, lines.join(''));
  lines = [];
};

/** The first request of a turn begins its transaction. */
const write = (line: object): void => void lines.push(`${JSON.stringify(line)}\n`);
const beginTurn = (): void => {
  if (database.isTransaction) return;
  begin.run();
  setImmediate(endTurn);
};

const server = createServer(
  { requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 15_000, optimizeEmptyRequests: true },
  ({ headers: { authorization = '' }, method, url = '' }, response) => {
    const startedAtMs = performance.now();
    beginTurn();
    const [, text = ''] = /^Bearer (\S+)$/i.exec(authorization) ?? [];
    const found = token.get(hash('sha256', text));
    const [, digits] = /^\/plants\/(\d+)$/.exec(url) ?? [];
    const row = digits === undefined ? undefined : plant.get(BigInt(digits));
    const isPermitted = found?.['revoked_at'] === null && `${found['scopes']}`.split(' ').includes('plants:read');
    if (!isPermitted || !row) return void response.writeHead(found ? 404 : 401).end();
    const { id, name, tag, created_at: createdAt, updated_at: updatedAt } = row;
    const version = hash('sha256', JSON.stringify([`${id}`, name, tag, createdAt, updatedAt]), 'base64url').slice(
      0,
      16,
    );
    const body = JSON.stringify({ id: Number(id), name, tag: tag ?? undefined, createdAt, updatedAt });
    const requestId = randomUUID();
    response
      .writeHead(200, [
        ...['content-type', 'application/json', 'etag', `"${version}"`],
        ...['x-request-id', requestId, 'content-length', `${Buffer.byteLength(body)}`],
      ])
      .end(body);
    const durationMs = performance.now() - startedAtMs;
    const time = new Date().toISOString();
    write({ level: 'info', time, requestId, method, route: '/plants/:id', status: 200, durationMs, msg: 'request' });
  },
);
server.listen(Number(PORT), '127.0.0.1', () => console.log('listening'));

/**
 * Fastify with its own validation and serialisation (https://fastify.dev/docs/latest/Reference/Validation-and-Serialization/), on
 * better-sqlite3, with a line for each request that pino writes in the background (https://getpino.io/#/docs/asynchronous).
 */
import { hash, randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import pino from 'pino';
import { newPlant, page, plant, plantId, plantRecord, plantRecords } from './schemas.mjs';
import { openStore } from './store.mjs';

const { DATABASE, LOG, PORT, TOKEN_DIGEST } = process.env;
const store = openStore(DATABASE);
store.addToken(TOKEN_DIGEST, 'plants:read plants:write');

const log = pino(
  {
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  },
  pino.destination({ dest: LOG, sync: false, minLength: 4096, periodicFlush: 100 }),
);

const requestIdForm = /^[A-Za-z0-9._-]{1,64}$/;
const app = Fastify({
  bodyLimit: 65_536,
  // The default would accept "1" as an id.
  ajv: { customOptions: { coerceTypes: false } },
  genReqId: ({ headers }) => {
    const given = headers['x-request-id'];
    return given !== undefined && requestIdForm.test(given) ? given : randomUUID();
  },
});
app.removeContentTypeParser('text/plain');

const refuse = (reply, error, message) =>
  reply
    .code(Math.floor(error / 100))
    .header('cache-control', 'no-store')
    .send({ error, message });

/** Looks the token up for each request, so that a revoked token is refused immediately. */
const requireScope = (scope) => (request, reply, done) => {
  reply.header('x-request-id', request.id);
  const [, token] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
  const found = token === undefined ? undefined : store.findToken(hash('sha256', token));
  if (!found || found.revokedAt !== null || (found.expiresAt !== null && Date.parse(found.expiresAt) <= Date.now())) {
    reply.header('www-authenticate', 'Bearer realm="plant-store"');
    return refuse(reply, 40101, 'The token is missing or not valid.');
  }
  if (!found.scopes.split(' ').includes(scope)) return refuse(reply, 40300, `The token lacks the scope ${scope}.`);
  done();
};
const read = { onRequest: requireScope('plants:read') };
const write = { onRequest: requireScope('plants:write') };

app.addHook('onResponse', (request, reply, done) => {
  const { id: requestId, method, routeOptions } = request;
  const { statusCode: status, elapsedTime: durationMs } = reply;
  log.info({ requestId, method, route: routeOptions.url, status, durationMs }, 'request');
  done();
});

app.setErrorHandler((error, request, reply) => {
  const status = error.statusCode ?? 500;
  if (status >= 500) log.error({ requestId: request.id, err: error }, 'defect');
  return refuse(reply, status * 100, status >= 500 ? 'The service has failed.' : error.message);
});

/** A strong entity tag: 16 bytes of the SHA-256 of the plant. */
const etagOf = ({ id, name, tag, createdAt, updatedAt }) =>
  `"${hash('sha256', JSON.stringify([id, name, tag, createdAt, updatedAt]), 'buffer').toString('base64url', 0, 16)}"`;

/** An absent tag is null in the table and no member in JSON. */
const toPlant = (row) => {
  row.tag ??= undefined;
  return row;
};

app.post('/plants', { ...write, schema: { body: newPlant, response: { 200: plant } } }, ({ body }, reply) => {
  const present = toPlant(store.createPlant(body));
  if (present.name !== body.name || present.tag !== body.tag)
    return refuse(reply, 40900, 'The id is taken by a different plant.');
  reply.header('location', `/plants/${body.id}`).header('etag', etagOf(present)).send(present);
});

app.get(
  '/plants/:id',
  { ...read, schema: { params: plantId, response: { 200: plantRecord } } },
  ({ params, headers }, reply) => {
    const row = store.getPlant(Number(params.id));
    if (!row) return refuse(reply, 40400, 'There is no such plant.');
    const present = toPlant(row);
    const etag = etagOf(present);
    reply.header('etag', etag);
    if (headers['if-none-match'] === etag) return reply.code(304).send();
    reply.send(present);
  },
);

const safeInteger = /^(?:0|-?[1-9]\d{0,15})$/;
const beforeAll = Number.MIN_SAFE_INTEGER - 1;

app.get('/plants', { ...read, schema: { querystring: page, response: { 200: plantRecords } } }, ({ query }, reply) => {
  const limit = Number(query.limit);
  const after = query.after === undefined ? beforeAll : Buffer.from(query.after, 'base64url').toString();
  if (after !== beforeAll && !safeInteger.test(after)) return refuse(reply, 40004, 'The cursor is not valid.');
  const rows = store.listPlants(Number(after), limit + 1);
  if (rows.length > limit) {
    rows.pop();
    const cursor = Buffer.from(`${rows.at(-1).id}`).toString('base64url');
    reply.header('link', `</plants?limit=${limit}&after=${cursor}>; rel="next"`);
  }
  reply.send(rows.map(toPlant));
});

await app.listen({ port: Number(PORT), host: '127.0.0.1' });
console.log(`listening on ${PORT}`);

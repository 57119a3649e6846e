/**
 * The HTTP of the peers on PostgreSQL: Fastify with its own validation and serialisation, and a log of one JSON line for each
 * request, which pino writes to a file in the background (https://getpino.io/#/docs/asynchronous). A store has `findToken`,
 * `create`, `get` and `list`.
 */
import { createHash } from 'node:crypto';
import Fastify, { LogController } from 'fastify';
import pino from 'pino';

export const serve = async ({ findToken, create, get, list }) => {
  const log = pino.destination({ dest: process.env.LOG, sync: false, minLength: 4096 });
  const app = Fastify({
    loggerInstance: pino(log),
    // The default is two lines for each request.
    logController: new LogController({ disableRequestLogging: true }),
  });

  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request;
    request.log.info(
      { method, route: routeOptions.url, status: reply.statusCode, durationMs: reply.elapsedTime },
      'request',
    );
  });

  app.setErrorHandler((error, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500) request.log.error(error);
    const message = status >= 500 ? 'The service has failed.' : error.message;
    return reply.code(status).send({ error: status * 100, message });
  });

  const requireScope = (scope) => async (request, reply) => {
    reply.header('x-request-id', request.id);
    const [, token] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
    const found = token && (await findToken(createHash('sha256').update(token).digest('hex')));
    if (!found || found.revokedAt || (found.expiresAt && found.expiresAt <= new Date())) {
      reply.header('www-authenticate', 'Bearer realm="plant-store"');
      return reply.code(401).send({ error: 40101, message: 'The token is not valid.' });
    }
    if (!found.scopes.includes(scope)) {
      return reply.code(403).send({ error: 40300, message: `The token lacks the scope ${scope}.` });
    }
  };
  const reading = { onRequest: requireScope('plants:read') };
  const writing = { onRequest: requireScope('plants:write') };

  app.post('/plants', { ...writing, schema: { body: newPlant, response: { 200: plant } } }, async ({ body }, reply) => {
    const present = await create(body);
    if (present.name !== body.name || present.tag !== body.tag) {
      return reply.code(409).send({ error: 40900, message: 'The id is taken by a different plant.' });
    }
    reply.header('location', `/plants/${body.id}`);
    return present;
  });

  app.get(
    '/plants/:id',
    { ...reading, schema: { params: idOfPlant, response: { 200: plantRecord } } },
    async ({ params }, reply) =>
      (await get(params.id)) ?? reply.code(404).send({ error: 40400, message: 'There is no such plant.' }),
  );

  app.get(
    '/plants',
    { ...reading, schema: { querystring: page, response: { 200: { type: 'array', items: plantRecord } } } },
    async ({ query: { limit, after } }, reply) => {
      const plants = await list(after, limit);
      if (plants.length === limit)
        reply.header('link', `</plants?limit=${limit}&after=${plants.at(-1).id}>; rel="next"`);
      return plants;
    },
  );

  await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
  console.log(`listening on ${process.env.PORT}`);
};

/** A row without the members that are null. */
export const toPlant = ({ id, name, tag, created_at, updated_at }) => ({
  id,
  name,
  tag: tag ?? undefined,
  createdAt: created_at,
  updatedAt: updated_at,
});

const id = { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
const name = { type: 'string', maxLength: 500 };
const tag = { type: 'string', maxLength: 100 };

const newPlant = { type: 'object', required: ['id', 'name'], properties: { id, name, tag } };
const plant = { type: 'object', required: ['name'], properties: { name, tag } };
const plantRecord = {
  type: 'object',
  required: ['id', 'name', 'createdAt', 'updatedAt'],
  properties: { id, name, tag, createdAt: { type: 'string' }, updatedAt: { type: 'string' } },
};
const idOfPlant = { type: 'object', properties: { id } };
const page = {
  type: 'object',
  properties: {
    limit: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
    after: { ...id, default: Number.MIN_SAFE_INTEGER },
  },
};

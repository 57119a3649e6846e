/** Hono with its validator (https://hono.dev/docs/guides/validation), on any runtime. */
import { hash } from 'node:crypto';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';
import { routePath } from 'hono/route';
import { validator } from 'hono/validator';
import type { Log } from './log.ts';
import { readCursor, readId, readLimit, readNewPlant, readRequestId, writeCursor } from './requests.ts';
import type { PlantRow, Store } from './store.ts';

const refuse = (c: Context, status: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 500, message: string): Response =>
  c.json({ error: status * 100, message }, status, { 'Cache-Control': 'no-store' });

const requireJson: MiddlewareHandler = async (c, next) => {
  if (!/^application\/json(?:;|$)/i.test(c.req.header('content-type') ?? ''))
    return refuse(c, 415, 'The media type must be application/json.');
  return await next();
};

/** A strong entity tag: 16 bytes of the SHA-256 of the plant. */
const etagOf = ({ id, name, tag, createdAt, updatedAt }: PlantRow): string =>
  `"${hash('sha256', JSON.stringify([id, name, tag, createdAt, updatedAt]), 'buffer').toString('base64url', 0, 16)}"`;

/** An absent tag is null in the table and no member in JSON. */
const toPlant = ({ id, name, tag, createdAt, updatedAt }: PlantRow) => ({
  id,
  name,
  tag: tag ?? undefined,
  createdAt,
  updatedAt,
});

export const createApp = (store: Store, log: Log): Hono => {
  const logRequest: MiddlewareHandler = async (c, next) => {
    const startedAtMs = performance.now();
    const requestId = readRequestId(c.req.header('x-request-id')) ?? crypto.randomUUID();
    c.header('X-Request-Id', requestId);
    await next();
    log.request({
      requestId,
      method: c.req.method,
      route: routePath(c, -1),
      status: c.res.status,
      durationMs: performance.now() - startedAtMs,
    });
  };

  /** Looks the token up for each request, so that a revoked token is refused immediately. */
  const requireScope =
    (scope: string): MiddlewareHandler =>
    async (c, next) => {
      const [, token] = /^Bearer (\S+)$/i.exec(c.req.header('authorization') ?? '') ?? [];
      const found = token === undefined ? null : store.findToken(hash('sha256', token));
      if (
        !found ||
        found.revokedAt !== null ||
        (found.expiresAt !== null && Date.parse(found.expiresAt) <= Date.now())
      ) {
        c.header('WWW-Authenticate', 'Bearer realm="plant-store"');
        return refuse(c, 401, 'The token is missing or not valid.');
      }
      if (!found.scopes.split(' ').includes(scope)) return refuse(c, 403, `The token lacks the scope ${scope}.`);
      return await next();
    };
  const read = requireScope('plants:read');
  const write = requireScope('plants:write');

  const app = new Hono();
  app.use(logRequest);

  app.onError((error, c) => {
    if (error instanceof HTTPException) return refuse(c, 400, error.message);
    log.defect({ error: error.message });
    return refuse(c, 500, 'The service has failed.');
  });

  app.post(
    '/plants',
    write,
    requireJson,
    bodyLimit({ maxSize: 65_536, onError: (c) => refuse(c, 413, 'The body has more than 64 KiB.') }),
    validator('json', (value, c) => readNewPlant(value) ?? refuse(c, 400, 'The body is no plant.')),
    (c) => {
      const plant = c.req.valid('json');
      const present = store.createPlant(plant);
      const { id, name, tag } = plant;
      if (present?.name !== name || present.tag !== (tag ?? null))
        return refuse(c, 409, 'The id is taken by a different plant.');
      c.header('Location', `/plants/${id}`);
      c.header('ETag', etagOf(present));
      return c.json({ name, tag });
    },
  );

  app.get('/plants/:id', read, (c) => {
    const id = readId(c.req.param('id'));
    if (id === undefined) return refuse(c, 400, 'The id must be an integer.');
    const row = store.getPlant(id);
    if (!row) return refuse(c, 404, 'There is no such plant.');
    const etag = etagOf(row);
    c.header('ETag', etag);
    if (c.req.header('if-none-match') === etag) return c.body(null, 304);
    return c.json(toPlant(row));
  });

  app.get('/plants', read, (c) => {
    const limit = readLimit(c.req.query('limit'));
    const after = readCursor(c.req.query('after'));
    if (limit === undefined || after === undefined) return refuse(c, 400, 'The limit or the cursor is not valid.');
    const rows = store.listPlants(after, limit + 1);
    if (rows.length > limit) {
      rows.pop();
      c.header('Link', `</plants?limit=${limit}&after=${writeCursor(rows.at(-1)?.id)}>; rel="next"`);
    }
    return c.json(rows.map(toPlant));
  });
  return app;
};

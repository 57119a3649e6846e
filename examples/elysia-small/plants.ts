import { eq, gt } from 'drizzle-orm';
import { Elysia, t } from 'elysia';
import type { Database } from './database.ts';
import { idTaken, noPlant } from './errors.ts';
import { plants } from './schema.ts';

// Plant Store: schemas of its own for int64, and for text by code points, which `t` counts in UTF-16 units.
const Id = t.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Plant = t.Object({
  id: Id,
  name: t.String({ maxLength: 500 }),
  tag: t.Optional(t.String({ maxLength: 100 })),
});

const toPlant = ({ tag, ...plant }: typeof plants.$inferSelect) => ({ ...plant, ...(tag !== null && { tag }) });

/** The operations of plants, as a plugin. */
export const plantRoutes = (db: Database) =>
  // Plant Store: an operation is one value, from which both the route and its part of the OpenAPI document are made.
  new Elysia({ prefix: '/plants' })
    .get(
      '/',
      ({ query: { after, limit } }) =>
        db.select().from(plants).where(gt(plants.id, after)).orderBy(plants.id).limit(limit).all().map(toPlant),
      {
        // Plant Store: a cursor in a Link header, so that the order can change.
        query: t.Object({
          after: t.Integer({ default: -1 }),
          limit: t.Integer({ minimum: 1, maximum: 1000, default: 100 }),
        }),
      },
    )
    .post(
      '/',
      ({ body, set }) => {
        const [created] = db.insert(plants).values(body).onConflictDoNothing().returning().all();
        if (!created) throw idTaken();
        set.headers.location = `plants/${created.id}`;
        return toPlant(created);
      },
      // Plant Store: a parser of its own, because `__proto__`, repeated names and large integers pass Elysia's.
      { body: Plant },
    )
    .get(
      '/:id',
      ({ params: { id } }) => {
        const found = db.select().from(plants).where(eq(plants.id, id)).get();
        if (!found) throw noPlant();
        return toPlant(found);
      },
      { params: t.Object({ id: Id }) },
    )
    .delete(
      '/:id',
      ({ params: { id }, status }) => {
        const [deleted] = db.delete(plants).where(eq(plants.id, id)).returning().all();
        if (!deleted) throw noPlant();
        return status(204, undefined);
      },
      { params: t.Object({ id: Id }) },
    );

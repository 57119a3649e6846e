import { eq, getTableColumns, sql } from 'drizzle-orm';
import { pictures, plants } from '../../db/sqlite.ts';
import { currentTrace } from '../base/trace-context.ts';
import { toPlant, toPlantRow } from '../plants/row.ts';
import { type AppendEvent, preparePlantQueries } from '../plants/sqlite.ts';
import type { SqliteClient } from '../runtime/runtime.ts';
import { drizzle, withValues } from '../sqlite/session.ts';
import type { Transactions } from '../sqlite/transactions.ts';
import { placeholdersOf } from '../storage/columns.ts';
import { applyPicture, applyRemoval, type PictureChange } from './picture.ts';
import { toPictureFile } from './row.ts';
import type { PictureStore } from './store.ts';

export const createPictureStore = (
  { client, read, transact, now }: Transactions,
  { get, put, remove }: PictureQueries,
  append: AppendEvent,
): PictureStore => {
  const ofPlants = preparePlantQueries(client);
  const find = (id: bigint) => ofPlants.byId().all({ id }).map(toPlant)[0];

  /** Commits the change of `apply` with its event. `write` writes the bytes. */
  const commit = <Result>(apply: () => PictureChange, write: () => void, toResult: () => Result): Promise<Result> =>
    transact(
      (queued) => {
        const { record, event } = apply();
        if (event) {
          ofPlants.replace().run(toPlantRow(record));
          write();
          append(event, queued.traceparent);
          queued.eventType = event.type;
        }
        return toResult();
      },
      'event',
      currentTrace(),
    );

  return {
    get: (plantId) => read(() => get().all({ plantId }).flatMap(toPictureFile)[0]),
    put: (plantId, { picture, content }, preconditions) => {
      let isNew = false;
      return commit(
        () => {
          const existing = find(plantId);
          isNew = existing?.picture === undefined;
          return applyPicture(existing, picture, preconditions, now());
        },
        () => put().run({ plantId, content }),
        () => isNew,
      );
    },
    delete: (plantId, preconditions) =>
      commit(
        () => applyRemoval(find(plantId), preconditions, now()),
        () => remove().run({ plantId }),
        () => {},
      ),
  };
};

type PictureQueries = ReturnType<typeof preparePictureQueries>;

/** Statements on pictures, each prepared once for a client. */
export const preparePictureQueries = (client: SqliteClient) => {
  const db = drizzle(client);
  const isOfPlant = eq(pictures.plantId, sql.placeholder('plantId'));
  const { content } = getTableColumns(pictures);
  return {
    get: withValues<{ plantId: bigint }>()(() =>
      db
        .select({ picture: plants.picture, content })
        .from(pictures)
        .innerJoin(plants, eq(plants.id, pictures.plantId))
        .where(isOfPlant)
        .prepare(),
    ),
    put: withValues<{ plantId: bigint; content: Uint8Array }>()(() =>
      db
        .insert(pictures)
        .values(placeholdersOf(getTableColumns(pictures)))
        .onConflictDoUpdate({ target: pictures.plantId, set: { content: sql`excluded.content` } })
        .prepare(),
    ),
    remove: withValues<{ plantId: bigint }>()(() => db.delete(pictures).where(isOfPlant).prepare()),
  };
};

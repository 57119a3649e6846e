/**
 * The pictures of plants. Each change is a transaction of its own on another session than the batches of plants, which would wait for
 * the bytes.
 */
import { eq, sql } from 'drizzle-orm';
import { AppError, connectionLost } from '../base/app-error.ts';
import { currentTrace } from '../base/trace-context.ts';
import { applyPicture, applyRemoval, type PictureChange } from '../pictures/picture.ts';
import { toPictureFile } from '../pictures/row.ts';
import type { PictureStore } from '../pictures/store.ts';
import type { PlantPictureChanged, PlantRecord } from '../plants/plant.ts';
import { pictures, plants } from './db/tables.ts';
import { appendEvents, readHead } from './log.ts';
import { lockPlants, replacePlants } from './plant-queries.ts';
import { toArray } from './session/array.ts';
import type { Database } from './session/database.ts';
import type { Session, TransactionEnd } from './session/session.ts';
import { builder, isAmong, isOnNode, manyRows, prepare, valuesOf } from './session/statement.ts';

export const createPictureStore = ({
  read,
  readList,
  transact,
  announce,
  advance,
  observer,
}: Database): PictureStore => {
  /** Commits the change of `apply` with its event. `write` sends the bytes. `apply` may be called again, after a lost race. */
  const commit = async (
    id: bigint,
    apply: (existing: PlantRecord | undefined, now: Date) => PictureChange,
    write: (session: Session) => Promise<unknown>,
  ): Promise<void> => {
    const traceparent = currentTrace();
    const { event, head } = await transact(async (session): Promise<TransactionEnd<Applied>> => {
      const [existing] = await lockPlants(session, [id]);
      const { record, event } = apply(existing, new Date());
      // The head of the log is locked last, when the bytes have arrived.
      const last = event ? [write(session), replacePlants(session, [record])] : [];
      const head = event ? appendEvents(session, [{ ...event, traceparent }]) : readHead(session);
      return { result: { event, head }, last: [...last, head] };
    });
    if (event) observer.onEvents?.(event.type, 1);
    advance(
      await head.catch(() =>
        read(readHead).catch((cause) => {
          throw new AppError(connectionLost, { cause });
        }),
      ),
    );
    if (event) announce('event');
  };

  return {
    get: async (plantId) =>
      (await readList((session) => select(session, { plantId }))).map(toFile).flatMap(toPictureFile)[0],
    put: async (plantId, { picture, content }, preconditions) => {
      let isNew = false;
      await commit(
        plantId,
        (existing, now) => {
          isNew = existing?.picture === undefined;
          return applyPicture(existing, picture, preconditions, now);
        },
        (session) => insert(session, toArrays([{ plantId, content }])),
      );
      return isNew;
    },
    delete: (plantId, preconditions) =>
      commit(
        plantId,
        (existing, now) => applyRemoval(existing, preconditions, now),
        (session) => removePictures(session, [plantId]),
      ),
  };
};

interface Applied {
  /** Undefined when nothing changes. */
  readonly event: PlantPictureChanged | undefined;
  /** The sequence of the newest event in the log after it. Rejects if the connection is lost. */
  readonly head: Promise<bigint>;
}

export const removePictures = (session: Session, plantIds: readonly bigint[]): Promise<unknown> =>
  remove(session, { plantIds: toArray(plantIds) });

const { plantId, content } = pictures;
const { input, toArrays } = manyRows({ plantId, content });

const insert = prepare<ReturnType<typeof toArrays>>()(
  builder
    .insert(pictures)
    .select(sql`SELECT * FROM ${input} WHERE ${isOnNode}`)
    .onConflictDoUpdate({ target: plantId, set: valuesOf('excluded', { content }) }),
);
const remove = prepare<{ plantIds: string }>()(builder.delete(pictures).where(isAmong(plantId, 'plantIds')));

/** In base64, since the drivers read a `bytea` in different ways. */
const select = prepare<{ plantId: bigint }>()(
  builder
    .select({ picture: plants.picture, base64: sql<string>`encode(${content}, 'base64')` })
    .from(pictures)
    .innerJoin(plants, eq(plants.id, plantId))
    .where(eq(plantId, sql.placeholder('plantId'))),
);

const toFile = ({ picture, base64 }: { readonly picture: string | null; readonly base64: string }) => ({
  picture,
  content: Buffer.from(base64, 'base64'),
});

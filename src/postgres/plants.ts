import { count } from 'drizzle-orm';
import { plants } from '../../db/postgres.ts';
import { AppError, connectionLost } from '../app-error.ts';
import { int64Max, int64Min } from '../base/int64.ts';
import { emptyPage, toJsonPage } from '../base/page.ts';
import { currentTrace } from '../base/trace-context.ts';
import { applyCreate, applyDelete, applyUpdate, type PlantRecord, plantToJson, repeatCreate } from '../plants/plant.ts';
import type { PlantStore } from '../store/store.ts';
import { readHead } from './log.ts';
import { applyCommands, outcomeOf, type PlantCommand, type PlantOutcome } from './plant-commands.ts';
import { type Creation, createPlants, findPlants, readPlants } from './plant-queries.ts';
import type { Database } from './session/database.ts';
import { createBatcher } from './session/group-commit.ts';
import { createLoader } from './session/loader.ts';
import type { Session } from './session/session.ts';
import { writeMsMax } from './session/writer.ts';

/** Works on single plants and pages. The rest of the store is in `plants-in-bulk.ts`. */
export const createPlantStore = (
  { read, announce }: Database,
  { add }: PlantBatcher,
): Omit<PlantStore, 'putAll' | 'scan'> => {
  const change = async (command: Untraced<PlantCommand>): Promise<PlantRecord | undefined> => {
    const traceparent = currentTrace();
    const record = await add({ ...command, traceparent }, traceparent);
    announce('event');
    return record;
  };

  const keep = async (command: Untraced<PlantCommand>): Promise<PlantRecord> => {
    const record = await change(command);
    if (!record) throw new Error('A command that keeps its plant has removed it.');
    return record;
  };

  return {
    create: (plant) =>
      keep({
        id: plant.id,
        creates: plant,
        decide: (present, now) => (present ? { record: repeatCreate(present, plant) } : applyCreate(plant, now)),
      }),
    get: createLoader(async (ids: readonly bigint[], endsAtMs) => {
      const found = await read((session) => findPlants(session, ids), endsAtMs);
      return new Map(found.map((plant) => [plant.id, plant]));
    }),
    list: async ({ limit, after, tag }) => {
      if (after === int64Max) return emptyPage;
      const from = after === undefined ? int64Min : after + 1n;
      const found = await read((session) => readPlants(session, { from, limit: limit + 1, tag }));
      return toJsonPage(found, limit, {
        toJson: (plant) => JSON.stringify(plantToJson(plant)),
        keyOf: ({ id }) => id,
      });
    },
    update: (id, patch, versions) => keep({ id, decide: (present, now) => applyUpdate(present, patch, versions, now) }),
    delete: async (id, versions) => {
      await change({ id, decide: (present, now) => ({ event: applyDelete(present, versions, now) }) });
    },
    count: () =>
      read(async ({ db }) => {
        const [row] = await db.select({ total: count() }).from(plants);
        return row?.total ?? 0;
      }),
  };
};

type Untraced<Command> = Omit<Command, 'traceparent'>;

type PlantBatcher = ReturnType<typeof createPlantBatcher>;

/** Commits changes to plants in batches. A batch of only creations is one statement, which reads only the plants that it has not inserted. */
export const createPlantBatcher = ({ read, advance, plantWriter, observer }: Database) => {
  let isCitus: boolean | undefined;

  /** Resolves to the outcome of each command, in their order. */
  const commit = async (commands: readonly PlantCommand[]): Promise<readonly PlantOutcome[]> => {
    const endsAtMs = performance.now() + writeMsMax;
    // Citus sends no INSERT in WITH to the node of the store as it is.
    isCitus ??= await read(async (session) => session.isCitus, endsAtMs);
    return !isCitus && commands.every(({ creates }) => creates)
      ? commitCreations(commands, endsAtMs)
      : commitAny(commands, endsAtMs);
  };

  const commitAny = async (commands: readonly PlantCommand[], endsAtMs: number): Promise<readonly PlantOutcome[]> => {
    const applied = await plantWriter.transact((session) => applyCommands(session, commands), endsAtMs);
    const { outcomes, events, head } = applied;
    for (const { type } of events) observer.onEvents?.(type, 1);
    advance(await head.catch(() => readLostHead(endsAtMs)));
    return outcomes;
  };

  /** For a transaction that was committed, and whose responses were lost. */
  const readLostHead = (endsAtMs: number): Promise<bigint> =>
    read(readHead, endsAtMs).catch((cause) => {
      throw new AppError(connectionLost, { cause });
    });

  const commitCreations = async (
    commands: readonly PlantCommand[],
    endsAtMs: number,
  ): Promise<readonly PlantOutcome[]> => {
    const now = new Date();
    const creations = new Map<bigint, Creation>();
    // Of two creations with one id the first is inserted.
    for (const { id, creates, traceparent } of commands)
      if (creates && !creations.has(id)) creations.set(id, { record: applyCreate(creates, now).record, traceparent });

    const all = [...creations.values()];
    const created = await plantWriter.execute((session, ids) => createPlants(session, all, ids), endsAtMs);
    if (created) advance(created.head);
    if (created?.ids.size) observer.onEvents?.('plant.created', created.ids.size);
    const present = new Map<bigint, PlantRecord>();
    for (const [id, { record }] of creations) if (created?.ids.has(id)) present.set(id, record);
    const others = [...creations.keys()].filter((id) => !present.has(id));
    let late: readonly PlantOutcome[] = [];
    let failure: unknown;
    try {
      // A separate statement, since the first one does not see commits while it ran.
      if (others.length > 0) {
        const find = (session: Session) => Promise.all([findPlants(session, others), readHead(session)]);
        const [found, head] = await read(find, endsAtMs);
        for (const plant of found) present.set(plant.id, plant);
        advance(head);
      }
      // Some conflicting plants have been deleted since.
      const again = created ? commands.filter(({ id }) => !present.has(id)) : [];
      if (again.length > 0) late = await commitAny(again, endsAtMs);
    } catch (error) {
      // It concerns only the others: the created plants are committed.
      failure = error;
    }
    // Those of the commands without a plant in `present`, in their order.
    const outcomes = late.values();
    return commands.map(({ id, decide }) => {
      const plant = present.get(id);
      // Each creation counts as a repetition: only one of several with one id was inserted, and the others may differ from it.
      const outcome = plant
        ? outcomeOf(() => decide(plant, now).record)
        : (outcomes.next().value ?? { error: failure });
      // The response was lost: a plant that differs may have been created here and changed since.
      return created || 'result' in outcome ? outcome : { error: new AppError(connectionLost) };
    });
  };

  return createBatcher(commit, observer);
};

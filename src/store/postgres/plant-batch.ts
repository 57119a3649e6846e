/**
 * Changes to plants in one transaction. A batch of only creations is one statement, which inserts first and reads only the plants
 * that it has not inserted. Any other batch locks the plants, decides the changes in the order of their arrival, and writes the
 * changed plants.
 */
import { AppError, connectionLost } from '../../domain/error.ts';
import type { PlantEvent, Traced } from '../../domain/event.ts';
import {
  applyCreate,
  applyDelete,
  applyUpdate,
  type NewPlant,
  type PlantPatch,
  type PlantRecord,
  repeatCreate,
} from '../../domain/plant.ts';
import { appendEvents } from './log.ts';
import {
  type Creation,
  createPlants,
  findPlants,
  insertPlants,
  lockPlants,
  removePlants,
  replacePlants,
} from './plant-queries.ts';
import type { Connection } from './session/database.ts';
import { Conflict } from './session/errors.ts';
import { createBatcher, type Outcome } from './session/group-commit.ts';
import type { Client } from './session/session.ts';
import { type Changes, type Statement, writeMsMax } from './session/writer.ts';

/** The plant after the change, absent when it was deleted. */
type PlantOutcome = Outcome<PlantRecord | undefined>;

export type PlantBatcher = ReturnType<typeof createPlantBatcher>;

export const createPlantBatcher = (connection: Connection) =>
  createBatcher((commands: readonly PlantCommand[]) => commitPlants(connection, commands), connection.observer);

/** Resolves to the outcome of each command, in their order. */
const commitPlants = (connection: Connection, commands: readonly PlantCommand[]): Promise<readonly PlantOutcome[]> => {
  const endsAtMs = performance.now() + writeMsMax;
  return commands.every(({ creates }) => creates)
    ? commitCreations(connection, commands, endsAtMs)
    : commitChanges(connection, commands, endsAtMs);
};

const commitCreations = async (
  connection: Connection,
  commands: readonly PlantCommand[],
  endsAtMs: number,
): Promise<readonly PlantOutcome[]> => {
  const now = new Date();
  const creations = new Map<bigint, Creation>();
  // Of two creations with one id the first is inserted.
  for (const { id, creates, traceparent } of commands)
    if (creates && !creations.has(id)) creations.set(id, { record: applyCreate(creates, now).record, traceparent });

  const statement: Statement<ReadonlySet<bigint> | undefined> = {
    send: (client, ids) => createPlants(client, [...creations.values()], ids),
    recall: async () => undefined,
  };
  const created = await connection.plantWriter.execute(statement, endsAtMs);
  if (created?.size) connection.observer.onEvents?.('plant.created', created.size);
  const present = new Map<bigint, PlantRecord>();
  for (const [id, { record }] of creations) if (created?.has(id)) present.set(id, record);
  const others = [...creations.keys()].filter((id) => !present.has(id));
  let late: readonly PlantOutcome[] = [];
  let refusal: unknown;
  try {
    // A separate statement, since the first one does not see commits while it ran.
    if (others.length > 0)
      for (const plant of await connection.read((client) => findPlants(client, others), endsAtMs))
        present.set(plant.id, plant);
    // Some conflicting plants have been deleted since.
    const again = created ? commands.filter(({ id }) => !present.has(id)) : [];
    if (again.length > 0) late = await commitChanges(connection, again, endsAtMs);
  } catch (error) {
    // It concerns only the others: the created plants are committed.
    refusal = error;
  }
  // Those of the commands without a plant in `present`, in their order.
  const outcomes = late.values();
  return commands.map(({ id, decide }) => {
    const plant = present.get(id);
    // Each creation counts as a repetition, since only one of several with one id was inserted, and the others may differ from it.
    const outcome = plant ? outcomeOf(() => decide(plant, now).record) : (outcomes.next().value ?? { refusal });
    // The response was lost: a plant that differs may have been created here and changed since.
    return created || 'result' in outcome ? outcome : { refusal: new AppError(connectionLost) };
  });
};

const commitChanges = async (
  { plantWriter, observer }: Connection,
  commands: readonly PlantCommand[],
  endsAtMs: number,
): Promise<readonly PlantOutcome[]> => {
  const { outcomes, events } = await plantWriter.transact((client) => applyChanges(client, commands), endsAtMs);
  for (const { type } of events) observer.onEvents?.(type, 1);
  return outcomes;
};

interface AppliedChanges {
  readonly outcomes: readonly PlantOutcome[];
  readonly events: readonly PlantEvent[];
}

const applyChanges = async (client: Client, commands: readonly PlantCommand[]): Promise<Changes<AppliedChanges>> => {
  const ids = [...new Set(commands.map(({ id }) => id))];
  const before = new Map((await lockPlants(client, ids)).map((plant) => [plant.id, plant]));
  const after = new Map(before);
  /** Also those that the batch deletes again: only the insert shows whether another process has created them meanwhile. */
  const added = new Map<bigint, PlantRecord>();
  const events: Traced<PlantEvent>[] = [];
  const now = new Date();
  const decideOne = ({ id, decide, traceparent }: PlantCommand): PlantRecord | undefined => {
    const { record, event } = decide(after.get(id), now);
    if (event) events.push({ ...event, traceparent });
    if (record) after.set(id, record);
    else after.delete(id);
    if (record && !before.has(id)) added.set(id, record);
    return record;
  };
  const outcomes = commands.map((command) => outcomeOf(() => decideOne(command)));

  if (added.size > 0 && (await insertPlants(client, [...added.values()])) < added.size) throw new Conflict();
  const replaced = [...after.values()].filter((plant) => before.has(plant.id) && before.get(plant.id) !== plant);
  const removed = [...before.keys(), ...added.keys()].filter((id) => !after.has(id));
  const last = [
    ...(replaced.length > 0 ? [replacePlants(client, replaced)] : []),
    ...(removed.length > 0 ? [removePlants(client, removed)] : []),
    ...(events.length > 0 ? [appendEvents(client, events)] : []),
  ];
  return { result: { outcomes, events }, last };
};

const outcomeOf = <Result>(decide: () => Result): Outcome<Result> => {
  try {
    return { result: decide() };
  } catch (refusal) {
    return { refusal };
  }
};

/** A change of one plant. `decide` is pure, since it is called again after a lost race. It throws the refusal. */
export interface PlantCommand {
  readonly id: bigint;
  /** The plant to create. Absent for other changes. */
  readonly creates?: NewPlant;
  /** The `traceparent` of the request, for the event. */
  readonly traceparent: string | undefined;
  readonly decide: (present: PlantRecord | undefined, now: Date) => Decision;
}

/** The plant after the change, absent when it is deleted, and the event, if any. */
interface Decision {
  readonly record?: PlantRecord;
  readonly event?: PlantEvent;
}

export const toCreate = (plant: NewPlant, traceparent: string | undefined): PlantCommand => ({
  id: plant.id,
  creates: plant,
  traceparent,
  decide: (present, now) => (present ? { record: repeatCreate(present, plant) } : applyCreate(plant, now)),
});

export const toUpdate = (
  id: bigint,
  patch: PlantPatch,
  versions: readonly string[] | undefined,
  traceparent: string | undefined,
): PlantCommand => ({
  id,
  traceparent,
  decide: (present, now) => applyUpdate(present, patch, versions, now),
});

export const toDelete = (
  id: bigint,
  versions: readonly string[] | undefined,
  traceparent: string | undefined,
): PlantCommand => ({
  id,
  traceparent,
  decide: (present, now) => ({ event: applyDelete(present, versions, now) }),
});

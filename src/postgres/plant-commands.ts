import type { Traced } from '../events/event.ts';
import type { NewPlant, PlantEvent, PlantRecord } from '../plants/plant.ts';
import { appendEvents, readHead } from './log.ts';
import { removePictures } from './pictures.ts';
import { insertPlants, lockPlants, removePlants, replacePlants, toArrays } from './plant-queries.ts';
import type { Outcome } from './session/group-commit.ts';
import type { Session, TransactionEnd } from './session/session.ts';

/** A change of one plant. `decide` is pure, since it is called again after a lost race. It throws the error of a refused command. */
export interface PlantCommand {
  readonly id: bigint;
  /** The plant to create. Omitted for other changes. */
  readonly creates?: NewPlant;
  /** The `traceparent` of the request, for the event. */
  readonly traceparent: string | undefined;
  readonly decide: (existing: PlantRecord | undefined, now: Date) => Decision;
}

/** The creation of a plant. */
export interface CreateCommand extends PlantCommand {
  readonly creates: NewPlant;
}

export const isCreation = (command: PlantCommand): command is CreateCommand => command.creates !== undefined;

interface Decision {
  /** The plant after the change. Omitted when it is deleted. */
  readonly record?: PlantRecord;
  /** Omitted when nothing changes. */
  readonly event?: PlantEvent;
}

/** The plant after the change. Undefined when it was deleted. */
export type PlantOutcome = Outcome<PlantRecord | undefined>;

/** The outcome of each command. */
export type Outcomes = ReadonlyMap<PlantCommand, PlantOutcome>;

export const outcomeOf = <Result>(decide: () => Result): Outcome<Result> => {
  try {
    return { result: decide() };
  } catch (error) {
    return { error };
  }
};

interface Applied {
  readonly outcomes: Outcomes;
  readonly events: readonly PlantEvent[];
  /** The sequence of the newest event in the log after them. Rejects if the connection is lost. */
  readonly head: Promise<bigint>;
}

/**
 * Applies the commands in a transaction: locks their plants, decides each in the order of its arrival, and writes the changed plants. The
 * insert fails if another process has created one of them meanwhile, and the transaction is repeated.
 */
export const applyCommands = async (
  session: Session,
  commands: readonly PlantCommand[],
): Promise<TransactionEnd<Applied>> => {
  const ids = [...new Set(commands.map(({ id }) => id))];
  const before = new Map((await lockPlants(session, ids)).map((plant) => [plant.id, plant]));
  const after = new Map(before);
  /** Also those that the batch deletes again, so that no other process can create them meanwhile. */
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
  const outcomes = new Map(commands.map((command) => [command, outcomeOf(() => decideOne(command))]));

  const replaced = [...after.values()].filter((plant) => before.has(plant.id) && before.get(plant.id) !== plant);
  const removed = [...before.keys(), ...added.keys()].filter((id) => !after.has(id));
  /** Of plants that are deleted, perhaps to be created again. */
  const pictures = [...before.values()].filter(({ id, picture }) => picture && !after.get(id)?.picture);
  const last = [
    ...(added.size > 0 ? [insertPlants(session, toArrays([...added.values()]))] : []),
    ...(replaced.length > 0 ? [replacePlants(session, replaced)] : []),
    ...(pictures.length > 0
      ? [
          removePictures(
            session,
            pictures.map(({ id }) => id),
          ),
        ]
      : []),
    ...(removed.length > 0 ? [removePlants(session, removed)] : []),
  ];
  const head = events.length > 0 ? appendEvents(session, events) : readHead(session);
  return { result: { outcomes, events, head }, last: [...last, head] };
};

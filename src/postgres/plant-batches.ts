/** Commits changes to plants in batches. */
import { AppError, connectionLost } from '../base/app-error.ts';
import { applyCreate, type PlantRecord, repeatCreate } from '../plants/plant.ts';
import { readHead } from './log.ts';
import {
  applyCommands,
  type CreateCommand,
  isCreation,
  type Outcomes,
  outcomeOf,
  type PlantCommand,
  type PlantOutcome,
} from './plant-commands.ts';
import { createPlants, findPlants } from './plant-queries.ts';
import type { Database } from './session/database.ts';
import { createBatcher } from './session/group-commit.ts';
import type { Session } from './session/session.ts';
import { responseLost, writeMsMax } from './session/writer.ts';

export type PlantBatcher = ReturnType<typeof createPlantBatcher>;

export const createPlantBatcher = ({ read, advance, plantWriter, observer }: Database) => {
  let isCitus: boolean | undefined;

  const commit = async (commands: readonly PlantCommand[]): Promise<readonly PlantOutcome[]> => {
    const endsAtMs = performance.now() + writeMsMax;
    // Citus sends no INSERT in WITH to the node of the store as it is.
    isCitus ??= await read(async (session) => session.isCitus, endsAtMs);
    const outcomes =
      !isCitus && commands.every(isCreation)
        ? await commitCreations(commands, endsAtMs)
        : await commitAny(commands, endsAtMs);
    return commands.map((command) => outcomes.get(command) ?? { error: new Error('A command has no outcome.') });
  };

  const commitAny = async (commands: readonly PlantCommand[], endsAtMs: number): Promise<Outcomes> => {
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

  /**
   * Creates plants by one statement, since most batches are creations of plants whose id is free: with a transaction of several
   * statements there would be a third fewer in a second. Creations whose id was taken are repetitions.
   */
  const commitCreations = async (commands: readonly CreateCommand[], endsAtMs: number): Promise<Outcomes> => {
    const now = new Date();
    // Of two creations with one id the first is inserted.
    const firsts = new Map<bigint, CreateCommand>();
    for (const command of commands) if (!firsts.has(command.id)) firsts.set(command.id, command);
    const creations = [...firsts.values()].map((command) => ({
      command,
      record: applyCreate(command.creates, now).record,
      traceparent: command.traceparent,
    }));
    const created = await plantWriter.execute((session, ids) => createPlants(session, creations, ids), endsAtMs);
    const outcomes = new Map<PlantCommand, PlantOutcome>();
    if (created !== responseLost) {
      advance(created.head);
      if (created.ids.size > 0) observer.onEvents?.('plant.created', created.ids.size);
      for (const { command, record } of creations)
        if (created.ids.has(record.id)) outcomes.set(command, { result: record });
    }
    const others = commands.filter((command) => !outcomes.has(command));
    if (others.length === 0) return outcomes;
    return new Map([...outcomes, ...(await compareWithExisting(others, created !== responseLost, endsAtMs))]);
  };

  /**
   * Compares creations with the plants that have their ids. Either the ids were taken, so that the creations are repetitions, or they were
   * committed and their response was lost. Then a plant that differs may have been created here and changed since.
   */
  const compareWithExisting = async (
    commands: readonly CreateCommand[],
    wereTaken: boolean,
    endsAtMs: number,
  ): Promise<Outcomes> => {
    const outcomeFor = (outcome: PlantOutcome): PlantOutcome =>
      wereTaken || 'result' in outcome ? outcome : { error: new AppError(connectionLost) };
    try {
      const existing = await readExisting(commands, endsAtMs);
      // Some plants have been deleted since.
      if (wereTaken && commands.some(({ id }) => !existing.has(id))) return await commitAny(commands, endsAtMs);
      const repeat = ({ id, creates }: CreateCommand) => outcomeOf(() => repeatCreate(existing.get(id), creates));
      return new Map(commands.map((command) => [command, outcomeFor(repeat(command))]));
    } catch (error) {
      return new Map(commands.map((command) => [command, outcomeFor({ error })]));
    }
  };

  /** A separate statement, since the first one does not see commits while it ran. */
  const readExisting = async (
    commands: readonly CreateCommand[],
    endsAtMs: number,
  ): Promise<ReadonlyMap<bigint, PlantRecord>> => {
    const ids = [...new Set(commands.map(({ id }) => id))];
    const find = (session: Session) => Promise.all([findPlants(session, ids), readHead(session)]);
    const [found, head] = await read(find, endsAtMs);
    advance(head);
    return new Map(found.map((plant) => [plant.id, plant]));
  };

  return createBatcher(commit, observer);
};

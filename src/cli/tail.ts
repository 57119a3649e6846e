import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { AppError } from '../base/app-error.ts';
import { OperatorError } from '../base/error.ts';
import { stopSignal } from '../base/signal.ts';
import type { Flags } from '../config/config.ts';
import { findStart, followLog, unlessUnavailable } from '../events/live-log.ts';
import { toJson } from '../events/representation.ts';
import type { EventStore } from '../events/store.ts';
import type { Context } from './context.ts';
import { openStore } from './database.ts';
import { isClosedPipe } from './descriptor.ts';
import { loadConfig } from './load-config.ts';
import { addDatabaseOption } from './options.ts';

export const addTail = (program: Command, context: Context): void => {
  addDatabaseOption(program.command('tail'))
    .description('print events as they happen, one JSON object per line, until a signal or until the pipe is closed')
    .option('--after <id>', 'start after the event with this id (default: now)')
    .action((flags) => tail(flags, context));
};

/** The pause between attempts while the database is unavailable. */
const retryMs = 1000;

const tail = async (
  { after, ...flags }: Flags & { after?: string },
  { env, printLines, printMessage }: Context,
): Promise<void> => {
  const config = await loadConfig(flags, env);
  const stop = new AbortController();
  void stopSignal().then(() => stop.abort());
  const store = openStore(config, {
    create: false,
    isPatient: true,
    onAway: (reason) => {
      const { name: database } = config.database;
      printMessage(reason === undefined ? `${database} is available again.` : `${database} is unavailable: ${reason}`);
    },
    onFatal: ({ message }) => stop.abort(new OperatorError(message)),
  });
  try {
    // A stop does not wait for the database.
    await Promise.race([store.opened, once(stop.signal, 'abort')]);
    const start = await waitForStart(store.events, after, stop.signal);
    const pages = followLog(store, { after: start, signal: stop.signal });
    for await (const { events } of pages) printLines(events.map(toJson));
  } catch (error) {
    // The reader of a pipe may stop early.
    if (!isClosedPipe(error))
      throw error instanceof AppError ? new OperatorError(explanations[error.code] ?? error.message) : error;
  } finally {
    await store.close();
  }
  if (stop.signal.reason instanceof OperatorError) throw stop.signal.reason;
};

const explanations: Readonly<Partial<Record<AppError['code'], string>>> = {
  invalid_cursor: '--after must be the id of an event in this database.',
  cursor_expired: 'The events after --after were removed, since they are older than EVENT_RETENTION.',
};

/** The sequence of the event to begin after. Waits while the database is unavailable. */
const waitForStart = async (events: EventStore, id: string | undefined, signal: AbortSignal): Promise<bigint> => {
  while (!signal.aborted) {
    const found = await findStart(events, id).catch(unlessUnavailable);
    if (found) return found.start;
    await sleep(retryMs);
  }
  return 0n;
};

/** Measures how long a transaction locks the head of the log, so that no other process can append: until the events are inserted and synced. */

import type { PlantEvent } from '../../src/plants/plant.ts';
import { parsePostgresUrl } from '../../src/postgres/driver/url.ts';
import { appendEvents } from '../../src/postgres/log.ts';
import { addressesOf } from '../../src/postgres/session/address.ts';
import { connect } from '../../src/postgres/session/connect.ts';
import type { Session } from '../../src/postgres/session/session.ts';
import type { Server } from '../support/postgres-server.ts';
import { runPlantStore } from '../support/servers.ts';

/** Appends events on a separate database. */
export interface CommitTimer extends AsyncDisposable {
  /** Appends this number of events, several times, and resolves to the shortest duration of a transaction in milliseconds. */
  time(events: number): Promise<number>;
}

export const createCommitTimer = async (server: Server): Promise<CommitTimer> => {
  const database = await server.createDatabase();
  await runPlantStore('migrate', '--database', database.url);
  const session = await connect(addressesOf(parsePostgresUrl(database.url)), async () => {});
  return {
    time: async (count) => {
      const events = Array.from({ length: count }, (_, index) => toEvent(index));
      const durations: number[] = [];
      while (durations.length < commits) durations.push(await append(session, events));
      return Math.min(...durations);
    },
    [Symbol.asyncDispose]: async () => {
      session.close();
      await database[Symbol.asyncDispose]();
    },
  };
};

const commits = 21;

const append = async (session: Session, events: readonly PlantEvent[]): Promise<number> => {
  const startedAtMs = performance.now();
  await Promise.all([session.query('BEGIN'), appendEvents(session, events), session.query('COMMIT')]);
  return performance.now() - startedAtMs;
};

/** The event of a plant that the load creates. */
const toEvent = (index: number): PlantEvent => ({
  type: 'plant.created',
  timestamp: new Date().toISOString(),
  id: 1_000_000_000n + BigInt(index),
  name: 'Monstera',
  tag: 'tropical',
});

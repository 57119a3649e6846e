/**
 * An import or an export of all plants, in one transaction on a connection of its own. The events of an import are collected in a
 * temporary table and appended at its end, so that other writes wait for the last step alone, unless they need the same plants.
 */
import { int64Max, int64Min } from '../../base/int64.ts';
import { AppError, connectionLost } from '../../domain/error.ts';
import type { PlantRecord } from '../../domain/plant.ts';
import type { PlantStore, PutPlants } from '../store.ts';
import type { Client } from './client.ts';
import type { Connection } from './connection.ts';
import { inTime } from './deadline.ts';
import { isLost, toAppError } from './failure.ts';
import { createCollection } from './log.ts';
import { createPutBatch } from './plant-import.ts';
import { readPlants } from './plant-queries.ts';

export const createBulkStore = ({ borrow, announce }: Connection): Pick<PlantStore, 'putAll' | 'scan'> => ({
  putAll: async (fill) => {
    const result = await putAll(borrow, fill);
    announce('event');
    return result;
  },
  scan: () => scan(borrow),
});

const putAll = async <Result>(
  borrow: Connection['borrow'],
  fill: (put: PutPlants) => Promise<Result>,
): Promise<Result> => {
  let client: Client | undefined;
  let isCommitting = false;
  try {
    client = await borrow();
    const { sql } = client;
    await inStep(sql`BEGIN`);
    await inStep(
      sql`SELECT set_config('lock_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true)`,
    );
    const events = await inStep(createCollection(client));
    const putBatch = createPutBatch(client, events);
    const result = await fill((plants, onTaken) => inStep(putBatch(plants, onTaken, new Date())));
    isCommitting = true;
    await inStep(Promise.all([events.append(), sql`COMMIT`]));
    return result;
  } catch (error) {
    throw isCommitting && isLost(error) ? new AppError(connectionLost, { cause: error }) : toAppError(error, 'write');
  } finally {
    // Without a COMMIT, this rolls the transaction back.
    client?.close();
  }
};

async function* scan(borrow: Connection['borrow']): AsyncGenerator<readonly PlantRecord[]> {
  let client: Client | undefined;
  try {
    client = await borrow();
    await inStep(client.sql`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`);
    await inStep(client.sql`SELECT set_config('idle_in_transaction_session_timeout', '0', true)`);
    for (let from = int64Min; ; ) {
      const records = await inStep(readPlants(client, { from, limit: scanRows }));
      if (records.length > 0) yield records;
      const last = records.at(-1)?.id ?? int64Max;
      if (records.length < scanRows || last === int64Max) return;
      from = last + 1n;
    }
  } catch (error) {
    throw toAppError(error, 'read');
  } finally {
    client?.close();
  }
}

/** How many rows are read at a time. */
const scanRows = 1000;

/** One step of a long work has a deadline of its own: the last one of an import writes all its events. */
const inStep = <Result>(step: Promise<Result>): Promise<Result> => inTime(step, performance.now() + stepMsMax);
const stepMsMax = 5 * 60 * 1000;

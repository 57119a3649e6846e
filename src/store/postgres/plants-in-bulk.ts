/**
 * An import or an export of all plants, in one transaction on a separate connection. The events of an import are collected in a
 * temporary table and appended at its end, so that other writes wait only for the last step, unless they need the same plants.
 */
import { AppError, connectionLost } from '../../domain/error.ts';
import type { PlantRecord } from '../../domain/plant.ts';
import { reportImports } from '../import-events.ts';
import { pagesOf } from '../pages.ts';
import type { PlantStore, PutPlants } from '../store.ts';
import type { Client } from './client.ts';
import type { Connection } from './connection.ts';
import { withStepDeadline } from './deadline.ts';
import { isLost, toAppError } from './failure.ts';
import { createCollection } from './log.ts';
import { createPutBatch } from './plant-import.ts';
import { readPlants } from './plant-queries.ts';
import { begin } from './session.ts';

export const createBulkStore = ({ borrow, announce, observer }: Connection): Pick<PlantStore, 'putAll' | 'scan'> => ({
  putAll: reportImports(async (fill) => {
    const result = await putAll(borrow, fill);
    announce('event');
    return result;
  }, observer),
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
    await withStepDeadline(begin(client));
    await withStepDeadline(
      sql`SELECT set_config('lock_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true)`,
    );
    const events = await withStepDeadline(createCollection(client));
    const putBatch = createPutBatch(client, events);
    const result = await fill((plants, onTaken) => withStepDeadline(putBatch(plants, onTaken, new Date())));
    isCommitting = true;
    await withStepDeadline(Promise.all([events.append(), sql`COMMIT`]));
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
    await withStepDeadline(client.sql`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`);
    await withStepDeadline(client.sql`SELECT set_config('idle_in_transaction_session_timeout', '0', true)`);
    const own = client;
    yield* pagesOf((from, limit) => withStepDeadline(readPlants(own, { from, limit })));
  } catch (error) {
    throw toAppError(error, 'read');
  } finally {
    client?.close();
  }
}

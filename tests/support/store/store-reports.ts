import type { PlantEventType } from '../../../src/events/event.ts';
import type { Batch, StoreObserver } from '../../../src/storage/observer.ts';

/** The reports of a store. */
export interface StoreReports {
  readonly observer: StoreObserver<PlantEventType>;
  readonly batches: Batch[];
  /** The SQLSTATEs of the errors after which transactions were retried. */
  readonly retries: string[];
  /** How many events were committed. */
  readonly events: Partial<Record<PlantEventType, number>>;
}

export const createStoreReports = (): StoreReports => {
  const reports: Omit<StoreReports, 'observer'> = { batches: [], retries: [], events: {} };
  const { batches, retries, events } = reports;
  const observer: StoreObserver<PlantEventType> = {
    onBatch: (batch) => void batches.push(batch),
    onRetry: (sqlState) => void retries.push(sqlState),
    onEvents: (type, count) => {
      events[type] = (events[type] ?? 0) + count;
    },
  };
  return { ...reports, observer };
};

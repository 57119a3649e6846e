import { OperatorError } from '../../base/error.ts';
import type { StoreObserver } from '../observer.ts';
import type { Store } from '../store.ts';
import { createDeliveryStore } from './deliveries.ts';
import { createEventStore } from './events.ts';
import { createLeaseStore } from './leases.ts';
import { isMigrated, migrate } from './migrate.ts';
import { createPlantBatcher } from './plant-batch.ts';
import { createPlantStore } from './plants.ts';
import { createBulkStore } from './plants-in-bulk.ts';
import type { Address } from './session/address.ts';
import { connect, createListen } from './session/connect.ts';
import { createConnection } from './session/database.ts';
import { isTableMissing, refusalOf, withDeadline, withStepDeadline } from './session/errors.ts';
import { reconnectPauseMs } from './session/reconnecting-session.ts';
import type { Client } from './session/session.ts';
import { createTokenStore } from './tokens.ts';
import { createWebhookStore } from './webhooks.ts';

export interface OpenOptions {
  /** Whether to create missing tables. Default: true. */
  readonly create?: boolean;
  /** Whether to wait for a server that cannot be reached yet. Default: false. */
  readonly isPatient?: boolean;
  /** Called with the names of the applied migrations, if any. */
  readonly onMigrated?: (names: readonly string[]) => void;
  /** Called with the reason when the database becomes unavailable, and without one when it is available again. */
  readonly onAway?: (reason: string | undefined) => void;
  /** Called once when the database is behind a transaction pooler. */
  readonly onPooled?: () => void;
  /** Receives the reports of the store. Default: none. */
  readonly observer?: StoreObserver;
}

/**
 * Opens the database on the first of these servers that accepts writes. Until `opened` resolves, and while the database is
 * unavailable, every call waits for a short time and rejects with AppError `unavailable`.
 */
export const openPostgresStore = (
  addresses: readonly Address[],
  {
    create = true,
    isPatient = false,
    onMigrated,
    onAway = () => {},
    onPooled = () => {},
    observer = {},
  }: OpenOptions = {},
): Store => {
  let isAway = false;
  let isPooled = false;
  let isOpen = false;
  let isClosed = false;

  /** Connects, and reports when the database becomes available or unavailable. */
  const connectWatched = async (prepare: (client: Client) => Promise<void>): Promise<Client> => {
    try {
      const client = await connect(addresses, prepare);
      if (isAway) onAway(undefined);
      isAway = false;
      if (client.isPooled && !isPooled) onPooled();
      isPooled ||= client.isPooled;
      return client;
    } catch (error) {
      const { isLasting, sentence } = refusalOf(error);
      // Before the store is open, `opened` rejects with a permanent reason.
      if (!isAway && (isOpen || !isLasting)) onAway(sentence);
      isAway ||= isOpen || !isLasting;
      throw error;
    }
  };

  const open = async (): Promise<void> => {
    for (;;) {
      try {
        const client = await connectWatched(async (client) => {
          const applied = await withStepDeadline(migrate(client, { create }));
          if (applied.length > 0) onMigrated?.(applied);
        });
        client.close();
        isOpen = true;
        return;
      } catch (error) {
        const { isLasting, sentence } = refusalOf(error);
        if (isLasting || !isPatient || isClosed) throw new OperatorError(sentence, { cause: error });
      }
      await Bun.sleep(reconnectPauseMs);
    }
  };

  const opened = open();
  opened.catch(() => {});
  const connectOpened = async (): Promise<Client> => {
    await opened;
    return connectWatched(expectMigrated);
  };
  const connection = createConnection(connectOpened, createListen(addresses), observer);
  const batcher = createPlantBatcher(connection);
  return {
    opened,
    plants: { ...createPlantStore(connection, batcher), ...createBulkStore(connection) },
    events: createEventStore(connection),
    webhooks: createWebhookStore(connection),
    deliveries: createDeliveryStore(connection),
    leases: createLeaseStore(connection),
    tokens: createTokenStore(connection),
    onNew: connection.subscribe,
    queued: batcher.queued,
    ping: () => connection.read(async ({ sql }) => void (await sql`SELECT 1`)),
    backup: async () => {
      throw backupRefusal();
    },
    close: async () => {
      isClosed = true;
      await connection.close();
    },
  };
};

/** A server that replaces another may have another database. */
const expectMigrated = async (client: Client): Promise<void> => {
  const isOurs = await withDeadline(isMigrated(client), performance.now() + checkMsMax).catch((error) => {
    if (isTableMissing(error)) return false;
    throw error;
  });
  if (!isOurs) throw new OperatorError('The tables of this program are missing from the database.');
};

const checkMsMax = 2000;

/** PostgreSQL's own program makes the copy of a database. */
export const backupRefusal = (): OperatorError =>
  new OperatorError('backup copies SQLite databases only. Use pg_dump for PostgreSQL.');

import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { runtime } from '#runtime';
import sqliteMigrations from '../../db/migrations.json' with { type: 'json' };
import { createFolders, isWritable, realPathOf } from '../base/file-system.ts';
import { createDraft } from '../base/temporary-file.ts';
import { createDeliveryStore } from '../deliveries/sqlite.ts';
import { prepareDeliveryQueries } from '../deliveries/sqlite-queries.ts';
import { createEventStore, prepareEventQueries } from '../events/sqlite.ts';
import { createPictureStore, preparePictureQueries } from '../pictures/sqlite.ts';
import { createPlantStore } from '../plants/sqlite.ts';
import { createBulkStore } from '../plants/sqlite-in-bulk.ts';
import type { SqliteClient } from '../runtime/runtime.ts';
import { closeOnFailure, connect, connectToRead, memory, openAlsoOnFullDisk } from '../sqlite/client.ts';
import { isLocked, toOpenError } from '../sqlite/errors.ts';
import {
  createFileIdentity,
  makePrivate,
  suffixes,
  throwIfLogRemains,
  throwIfMissing,
  throwIfMountedAlone,
} from '../sqlite/file.ts';
import { expectMigrated, inspect, migrate } from '../sqlite/migrate.ts';
import { createTransactions, type TransactionOptions, type Transactions } from '../sqlite/transactions.ts';
import type { OpenOptions as ServerOptions } from '../store/engine.ts';
import type { Store } from '../store/store.ts';
import { createTokenStore } from '../tokens/sqlite.ts';
import { createWebhookStore, prepareWebhookQueries } from '../webhooks/sqlite.ts';
import { createLeaseStore } from '../webhooks/sqlite-leases.ts';

export interface OpenOptions extends TransactionOptions, Pick<ServerOptions, 'create' | 'upgrade' | 'onMigrated'> {
  /** Called when other users may read the database, and this process cannot change that. */
  readonly onExposed?: () => void;
}

/**
 * Opens the database with this name, or creates it if there is no file. `:memory:` is a database that ends with the store. Throws
 * OperatorError with the reason for a file that must not be used.
 */
export const openSqliteStore = (
  name: string,
  { create = true, upgrade = false, onMigrated, onExposed, ...options }: OpenOptions = {},
): Store => {
  const path = name === memory ? memory : realPathOf(name);
  const applied: string[] = [];
  if (path !== memory) {
    if (!create) throwIfMissing(path);
    if (create) throwIfMountedAlone(path);
    if (!existsSync(path)) applied.push(...createFile(path));
    inspect(path, { acceptsOlder: upgrade });
  }
  const client = openClient(path, { create, migrates: upgrade || path === memory, applied });
  // Only now is it certain that the file belongs to this program and has its log.
  if (path !== memory && !makePrivate(path)) onExposed?.();
  if (applied.length > 0) onMigrated?.(applied, { isNew: applied.length === sqliteMigrations.length });

  const transactions = createTransactions(client, createFileIdentity(name, path), options);
  // A command that may create a database will write.
  if (create) throwIfReadOnly(path, transactions);
  return createStore(transactions);
};

/** The store on a migrated database. */
export const createStore = (transactions: Transactions): Store => {
  const { client } = transactions;
  const queries = {
    events: prepareEventQueries(client),
    deliveries: prepareDeliveryQueries(client),
    webhooks: prepareWebhookQueries(client),
  };
  const { append } = queries.events;
  const pictures = preparePictureQueries(client);
  const removePicture = (plantId: bigint) => void pictures.remove().run({ plantId });
  const ping = client.prepare('SELECT 1');
  return {
    plants: {
      ...createPlantStore(transactions, { append, removePicture }),
      ...createBulkStore(transactions, prepareEventQueries),
    },
    pictures: createPictureStore(transactions, pictures, append),
    events: createEventStore(transactions, queries),
    webhooks: createWebhookStore(transactions, queries),
    deliveries: createDeliveryStore(transactions, queries),
    leases: createLeaseStore(transactions),
    tokens: createTokenStore(transactions),
    onNew: transactions.subscribe,
    dataVersion: () => transactions.read(() => transactions.dataVersion() ?? 0n),
    queued: transactions.queued,
    isDamaged: transactions.isDamaged,
    opened: Promise.resolve(),
    ping: () => transactions.read(() => void ping.all()),
    close: async () => transactions.close(),
  };
};

interface ClientOptions {
  readonly create: boolean;
  readonly migrates: boolean;
  readonly applied: string[];
}

const openClient = (path: string, { create, migrates, applied }: ClientOptions): SqliteClient => {
  const open = (options?: { readonly isExclusive: boolean }): SqliteClient =>
    closeOnFailure(!create && !isWritable(path) ? connectToRead(path) : connect(path, options), (client) => {
      if (migrates) applied.push(...migrate(client));
      // This also creates the log, which must exist before the files are identified.
      else expectMigrated(client);
    });
  try {
    // A command that may create a database will write, and a service must share it with commands.
    return create ? open() : openAlsoOnFullDisk(open);
  } catch (error) {
    throw toOpenError(path, error);
  }
};

/** Only a write shows whether the file is read-only. While another process has the lock, it is not checked. */
const throwIfReadOnly = (path: string, { client, close }: Transactions): void => {
  try {
    client.run('BEGIN IMMEDIATE');
    client.run('PRAGMA user_version = 0');
    client.run('ROLLBACK');
  } catch (error) {
    if (isLocked(error)) return;
    close();
    throw toOpenError(path, error);
  }
};

/**
 * Creates the file as a draft and renames it, so that a crash leaves no partial database. If two processes do so at the same time,
 * the second uses the file of the first. Returns the names of the applied migrations.
 */
const createFile = (path: string): string[] => {
  try {
    createFolders(dirname(path));
    // The log may belong to another process, which has created the database since.
    throwIfLogRemains(path);
    using draft = createDraft(path, suffixes);
    const applied = migrateDraft(draft.path);
    draft.take({ replace: false });
    return applied;
  } catch (error) {
    if (existsSync(path)) return [];
    throw toOpenError(path, error);
  }
};

const migrateDraft = (draft: string): string[] => {
  using client = runtime.openSqlite(draft);
  client.run('PRAGMA synchronous = EXTRA');
  // Already here: it needs exclusive use of the file, which is not possible with several processes.
  client.run('PRAGMA journal_mode = WAL');
  const applied = migrate(client);
  // The draft is renamed without its log. On a full disk, a close would leave a part of the database in it, without an error.
  client.run('PRAGMA wal_checkpoint(TRUNCATE)');
  return applied;
};

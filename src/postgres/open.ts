import { setTimeout } from 'node:timers/promises';
import { OperatorError } from '../base/error.ts';
import type { OpenOptions } from '../store/engine.ts';
import type { Store } from '../store/store.ts';
import postgresMigrations from './db/migrations.json' with { type: 'json' };
import { createDeliveryStore } from './deliveries.ts';
import type { PostgresAddress } from './driver/driver.ts';
import { createEventStore } from './events.ts';
import { createLeaseStore } from './leases.ts';
import { readHead } from './log.ts';
import { checkMsMax, expectMigrated, migrate } from './migrate.ts';
import { createPictureStore } from './pictures.ts';
import { createPlantBatcher } from './plant-batches.ts';
import { createPlantStore } from './plants.ts';
import { createBulkStore } from './plants-in-bulk.ts';
import { connect, createListen } from './session/connect.ts';
import { createDatabase } from './session/database.ts';
import { reasonOf, StandbyError, withDeadline } from './session/errors.ts';
import { reconnectPauseMs } from './session/reconnecting-session.ts';
import { type Session, withStepDeadlines } from './session/session.ts';
import { createTokenStore } from './tokens.ts';
import { createWebhookStore } from './webhooks.ts';

/**
 * Opens the database on the first of these servers that accepts writes, or, if nothing is written, that answers. Until `opened` resolves,
 * and while the database is unavailable, every call waits for a short time and rejects with AppError `unavailable`.
 */
export const openPostgresStore = (
  addresses: readonly PostgresAddress[],
  {
    create = true,
    upgrade = false,
    isPatient = false,
    onMigrated,
    onAway = () => {},
    onPooled = () => {},
    observer = {},
  }: OpenOptions = {},
): Store => {
  const isReadOnly = addresses.some((address) => address.isReadOnly);
  let isAway = false;
  let isPooled = false;
  let isOpen = false;
  let isClosed = false;
  /** The session that has migrated the database, until it is used. So the store always has the in-use lock. */
  let first: Session | undefined;

  const connectWatched = async (prepare: (session: Session) => Promise<void>): Promise<Session> => {
    try {
      const session = await connect(addresses, prepare);
      if (isAway) {
        database.forgetDamage();
        onAway(undefined);
      }
      isAway = false;
      if (session.isPooled && !isPooled) onPooled();
      isPooled ||= session.isPooled;
      return session;
    } catch (error) {
      const { isPermanent, message } = reasonOf(error);
      // Before the store is open, `opened` rejects with a permanent reason.
      const isReported = isOpen || !isPermanent;
      if (isReported && !isAway) onAway(message);
      isAway ||= isReported;
      throw error;
    }
  };

  const openStore = async (): Promise<void> => {
    for (;;) {
      try {
        first = await connectWatched(async (session) => {
          const options = { create: create && !isReadOnly, upgrade: upgrade && !isReadOnly };
          const applied = await migrate(withStepDeadlines(session), options);
          if (applied.length > 0) onMigrated?.(applied, { isNew: applied.length === postgresMigrations.length });
        });
        if (isClosed) first.close();
        isOpen = true;
        return;
      } catch (error) {
        const { isPermanent, message } = reasonOf(error);
        if (isPermanent || !isPatient || isClosed) throw new OperatorError(message, { cause: error });
      }
      await setTimeout(reconnectPauseMs);
    }
  };

  const opened = openStore();
  opened.catch(() => {});
  const connectOpened = async (): Promise<Session> => {
    await opened;
    const session = first;
    first = undefined;
    return session && !session.ended.aborted ? session : connectWatched(expectUsable);
  };
  const expectUsable = async (session: Session): Promise<void> => {
    await expectMigrated(session);
    if (!isReadOnly) return;
    const head = await withDeadline(readHead(session), performance.now() + checkMsMax);
    // A standby that was restarted may be behind a state from which this process has answered.
    if (head < database.position()) throw new StandbyError('The standby is behind an earlier state.');
  };
  const database = createDatabase(connectOpened, createListen(addresses), observer);
  const batcher = createPlantBatcher(database);
  return {
    opened,
    plants: { ...createPlantStore(database, batcher), ...createBulkStore(database) },
    pictures: createPictureStore(database),
    events: createEventStore(database),
    webhooks: createWebhookStore(database),
    deliveries: createDeliveryStore(database),
    leases: createLeaseStore(database),
    tokens: createTokenStore(database),
    onNew: database.subscribe,
    dataVersion: database.dataVersion,
    position: database.position,
    queued: batcher.queued,
    isDamaged: database.isDamaged,
    // A table, since it may be on another node than this session.
    ping: () => database.read(async (session) => void (await readHead(session))),
    close: async () => {
      isClosed = true;
      first?.close();
      await database.close();
    },
  };
};

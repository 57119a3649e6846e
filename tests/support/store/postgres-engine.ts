import { parsePostgresUrl } from '../../../src/postgres/driver/url.ts';
import { openPostgresStore } from '../../../src/postgres/open.ts';
import { addressesOf } from '../../../src/postgres/session/address.ts';
import type { Store } from '../../../src/store/store.ts';
import { freshDatabase } from '../postgres/postgres-database.ts';
import { type BehaviourEngine, type OpenOptions, openInTurn } from './engine.ts';

export const openPostgres = async (url: string, options?: OpenOptions): Promise<Store> => {
  const store = openPostgresStore(addressesOf(parsePostgresUrl(url)), options);
  await store.opened;
  return store;
};

export const postgres: BehaviourEngine = {
  name: 'PostgreSQL',
  open: openInTurn(async () => {
    const database = await freshDatabase();
    return { store: await openPostgres(database.url), empty: database.empty };
  }),
  createDatabase: freshDatabase,
};

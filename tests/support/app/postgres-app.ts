import { parsePostgresUrl } from '../../../src/postgres/driver/url.ts';
import { openPostgresStore } from '../../../src/postgres/open.ts';
import { addressesOf } from '../../../src/postgres/session/address.ts';
import type { OpenOptions } from '../../../src/store/engine.ts';
import { createTestApp, type TestApp } from './app.ts';

/** The real app on the PostgreSQL database of this URL. Use with `await using`. */
export const openPostgresApp = async (url: string, options?: OpenOptions): Promise<TestApp & AsyncDisposable> => {
  const store = openPostgresStore(addressesOf(parsePostgresUrl(url)), options);
  await store.opened;
  return { ...(await createTestApp({ store })), [Symbol.asyncDispose]: () => store.close() };
};

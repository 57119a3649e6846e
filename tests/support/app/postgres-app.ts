import { parsePostgresUrl } from '../../../src/postgres/driver/url.ts';
import { openPostgresStore } from '../../../src/postgres/open.ts';
import { addressesOf } from '../../../src/postgres/session/address.ts';
import type { OpenOptions } from '../../../src/store/engine.ts';
import { until } from '../until.ts';
import { createTestApp, giveToken, type TestApp } from './app.ts';

type PostgresApp = TestApp & AsyncDisposable;

/**
 * The real app on the PostgreSQL database of this URL. Use with `await using`. It has written and read, so that its code is compiled: on a
 * busy machine, that takes longer than the time limits of a store.
 */
export const openPostgresApp = (url: string, options?: OpenOptions): Promise<PostgresApp> => {
  const opening = last.then(() => open(url, options));
  last = opening.catch(() => {});
  return opening;
};

/** Concurrent tests open theirs one after the other. */
let last: Promise<unknown> = Promise.resolve();

const open = async (url: string, options?: OpenOptions): Promise<PostgresApp> => {
  const store = openPostgresStore(addressesOf(parsePostgresUrl(url)), options);
  await store.opened;
  await until(() =>
    giveToken(store).then(
      () => true,
      () => false,
    ),
  );
  const app = await createTestApp({ store });
  await until(async () => (await app.send('GET', '/plants')).status === 200);
  return { ...app, [Symbol.asyncDispose]: () => store.close() };
};

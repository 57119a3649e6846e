/** The app on a separate database, whose connections a test can break. */

import type { Store } from '../../src/store/store.ts';
import { asJson, create, type TestApp } from '../support/app/app.ts';
import { openPostgresApp } from '../support/app/postgres-app.ts';
import { readBytes } from '../support/pictures/pictures.ts';
import { bareDatabase } from '../support/postgres/postgres-database.ts';
import { startProxy, type TcpProxy } from '../support/postgres/proxy.ts';
import { SQL } from '../support/store/sql.ts';
import { createStoreReports, type StoreReports } from '../support/store/store-reports.ts';
import { until } from '../support/until.ts';

export interface Scene extends AsyncDisposable {
  readonly app: TestApp;
  readonly store: Store;
  readonly proxy: TcpProxy;
  /** Another session on the same database. */
  readonly other: SQL;
  readonly url: string;
  /** The reports of the store after the creation of plant 1. */
  readonly reports: StoreReports;
}

/** The app on a new database through a proxy. It has the plant 1 with the name "old". */
export const setUp = async (): Promise<Scene> => {
  const database = await bareDatabase();
  const proxy = await startProxy(database.url);
  const reports = createStoreReports();
  const app = await openPostgresApp(proxy.url, { observer: reports.observer });
  const other = new SQL(database.url, { max: 1 });
  await until(async () => (await create(app, '{"id":1,"name":"old"}')).status === 200);
  return {
    app,
    store: app.store,
    proxy,
    other,
    url: database.url,
    reports,
    [Symbol.asyncDispose]: async () => {
      await other.close({ timeout: 0 });
      await app[Symbol.asyncDispose]();
      await proxy[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
};

export const rename = ({ send }: TestApp, id: number, name: string): Promise<Response> =>
  send('PATCH', `/plants/${id}`, { headers: asJson, body: JSON.stringify({ name }) });

export const putPicture = ({ send }: TestApp, id: number): Promise<Response> =>
  send('PUT', `/plants/${id}/picture`, { headers: { 'content-type': 'image/png' }, body: readBytes('leaf.png') });

/** The types of the events about a plant. */
export const eventsOf = async ({ other }: Scene, id: number): Promise<string[]> =>
  (await other`SELECT type FROM events WHERE plant_id = ${id} ORDER BY sequence`.values()).flat();

/** How many sessions of the service wait for a lock. */
export const countWaiting = async ({ url }: Scene): Promise<number> => {
  await using sql = new SQL(url, { max: 1 });
  const [row] = await sql`
    SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return row.count;
};

/** Waits until so many sessions of the service wait for a lock. */
export const untilWaiting = (scene: Scene, sessions = 1): Promise<void> =>
  until(async () => (await countWaiting(scene)) >= sessions);

/** Waits until all wake-ups are sent, since a connection that sends one is not used for a request. */
export const untilWokenUp = async ({ app, other }: Scene): Promise<void> => {
  const [schema] = await other`SELECT oid FROM pg_namespace WHERE nspname = current_schema()`;
  const { promise, resolve } = Promise.withResolvers<unknown>();
  await using _ = await other.listen(`plant_store_${schema.oid}`, resolve);
  await rename(app, 1, 'newer');
  await promise;
  await app.send('GET', '/plants/1');
};

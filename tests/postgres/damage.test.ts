/** The service on a PostgreSQL server whose files are damaged, and then repaired. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SQL } from 'bun';
import { create, errorOf } from '../support/app/app.ts';
import { openPostgresApp } from '../support/app/postgres-app.ts';
import { type PostgresServer, startPostgres } from '../support/postgres/postgres-server.ts';
import { parseMetrics, sampleValue } from '../support/telemetry/prometheus.ts';
import { until } from '../support/until.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

/** Each returns the function that repairs the file. */
const fillWith = (byte: number) => (path: string) => {
  const sound = readFileSync(path);
  writeFileSync(path, Buffer.alloc(sound.length, byte));
  return () => writeFileSync(path, sound);
};
const moveAway = (path: string) => {
  renameSync(path, `${path}.away`);
  return () => renameSync(`${path}.away`, path);
};

test.each([
  ['XX001', 'plants', fillWith(0x55)],
  ['XX002', 'plants_pkey', fillWith(0)],
  ['58P01', 'plants', moveAway],
] as const)(
  'damage that the server reports as %s is shown until the server has been away',
  async (_, relation, damage) => {
    let away = 0;
    await using app = await openPostgresApp(server.url, { onAway: (reason) => (away += reason ? 1 : 0) });
    await create(app, '{"id":1,"name":"n"}');
    const admin = new SQL(server.url, { max: 1 });
    const [found] = await admin`SELECT pg_relation_filepath(${relation}) AS path`;
    await admin.close({ timeout: 0 });

    const get = () => app.send('GET', '/plants/1');
    const ready = () => app.send('GET', '/readyz', { authorization: null });
    await server.stop();
    const repair = damage(join(server.folder, 'data', found.path));
    await server.start();
    await until(async () => (await get()).status === 500);
    const response = await get();
    expect(response.headers.get('retry-after')).toBeNull();
    expect(await errorOf(response)).toBe(50000);
    const unready = await ready();
    expect(unready.status).toBe(503);
    expect(await unready.text()).toContain('The database is damaged');
    const metrics = parseMetrics(await (await app.send('GET', '/metrics')).text());
    expect(sampleValue(metrics, 'plant_store_database_damaged')).toBe(1);

    const before = away;
    await server.stop();
    repair();
    await until(() => away > before);
    await server.start();
    await until(async () => (await get()).status === 200);
    expect((await ready()).status).toBe(200);
  },
);

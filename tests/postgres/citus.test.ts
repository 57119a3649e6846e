/** Stores in schemas that Citus keeps on one node each, and tables that it distributes. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Delivery } from '../../src/deliveries/delivery.ts';
import { parsePostgresUrl } from '../../src/postgres/driver/url.ts';
import { expectOneNode, migrate } from '../../src/postgres/migrate.ts';
import { addressesOf } from '../../src/postgres/session/address.ts';
import { connect } from '../../src/postgres/session/connect.ts';
import type { Store } from '../../src/store/store.ts';
import { digestToken, generateToken, scopes } from '../../src/tokens/token.ts';
import { temporaryFolder } from '../support/folder.ts';
import { expectPace, idleMs } from '../support/pace.ts';
import { type CitusCluster, findCitus, startCitus } from '../support/postgres/citus.ts';
import { bareDatabase } from '../support/postgres/postgres-database.ts';
import type { PostgresServer } from '../support/postgres/postgres-server.ts';
import { startProxy } from '../support/postgres/proxy.ts';
import { runCommand } from '../support/programs/command.ts';
import { openPostgres } from '../support/store/postgres-engine.ts';
import { SQL } from '../support/store/sql.ts';
import { until } from '../support/until.ts';

describe.skipIf(findCitus() === undefined)('on Citus (skipped where it is not installed)', () => {
  let cluster: CitusCluster;
  let nodes: readonly [SQL, ...SQL[]];
  beforeAll(async () => {
    // Without the first one, each commit of two phases leaves a row.
    cluster = await startCitus({ 'citus.recover_2pc_interval': '-1', 'citus.metadata_sync_interval': '100ms' });
    const connectTo = ({ url }: PostgresServer) => new SQL(url, { max: 1 });
    nodes = [connectTo(cluster.coordinator), ...cluster.workers.map(connectTo)];
  });
  afterAll(async () => {
    for (const node of nodes) await node.close();
    await cluster[Symbol.asyncDispose]();
  });

  let schema: string;
  let schemas = 0;
  let open: AsyncDisposableStack;
  beforeEach(async () => {
    open = new AsyncDisposableStack();
    schemas += 1;
    schema = `garden${schemas}`;
    await nodes[0].unsafe(`CREATE SCHEMA ${schema}`);
  });
  afterEach(() => open.disposeAsync());

  const urlOn = (node: number, name = schema): string =>
    `${[cluster.coordinator, ...cluster.workers][node]?.url}?options=-c%20search_path%3D${name}`;
  const openOn = async (node: number, name = schema): Promise<Store> => {
    const store = await openPostgres(urlOn(node, name));
    open.defer(store.close);
    return store;
  };
  const onCoordinator = async (statement: string): Promise<void> => void (await nodes[0].unsafe(statement));
  const countTwoPhased = async (): Promise<number> => {
    const counts = await Promise.all(nodes.map((node) => node`SELECT count(*)::int FROM pg_dist_transaction`));
    return counts.reduce((sum, [{ count }]) => sum + count, 0);
  };

  test.each([0, 1, 2])('no change has a commit of two phases, through node %d', async (node) => {
    await openOn(0);
    const { plants, events, webhooks, deliveries, leases, tokens } = await openOn(node);
    const before = await countTwoPhased();
    await Promise.all([1n, 2n, 3n].map((id) => plants.create({ id, name: 'Rose' })));
    await Promise.all([plants.update(1n, { name: 'Oak' }), plants.delete(2n), plants.create({ id: 4n, name: 'Fig' })]);
    const many = Array.from({ length: 1500 }, (_, index) => ({ id: BigInt(index), name: 'Moss' }));
    await plants.putAll(async (put) => {
      await put(many.slice(1000), 'replace');
      await put(many.slice(0, 1000), 'replace');
    });
    const { id } = await webhooks.create({ url: 'https://a.example/', events: ['plant.created'], secret: 'whsec_1' });
    await leases.renew({ sender: 'a', released: new Set(), isLeaving: false });
    const [event] = (await deliveries.readUntried(id, 0n, 1)).events;
    if (event) {
      const delivery: Delivery = { webhookId: id, event, attempts: [], attemptsInRound: 0 };
      await deliveries.record([{ before: delivery, after: delivery }], new Map([[id, 1n]]), new Map([[id, 1n]]));
    }
    await deliveries.createTestMessage(id);
    await webhooks.rotate(id, 'whsec_2');
    await webhooks.delete(id);
    await tokens.revoke((await tokens.create({ name: 'n', scopes, digest: digestToken(generateToken()) })).id);
    await events.prune('9999', 200);
    expect(await countTwoPhased()).toBe(before);
    expect(await plants.count()).toBe(1500);
    expect((await plants.get(1n))?.name).toBe('Moss');
    expect(await events.head()).toBe(6n + 1500n);
  });

  test('stores that use different nodes have the same plants, and lists in one order', async () => {
    const stores = [await openOn(0), await openOn(1), await openOn(2)];
    for (const [index, { plants, tokens, webhooks }] of [...stores.entries(), ...stores.entries()]) {
      await plants.create({ id: BigInt(Date.now()), name: `${index}` });
      await tokens.create({ name: `${index}`, scopes, digest: digestToken(generateToken()) });
      await webhooks.create({ url: `https://${index}.example/`, events: ['plant.created'], secret: 'whsec_1' });
    }
    for (const { plants, tokens, webhooks, events } of stores) {
      const names = ['0', '1', '2', '0', '1', '2'];
      expect((await tokens.list()).map(({ name }) => name)).toEqual(names);
      expect((await webhooks.list()).map(({ url }) => url)).toEqual(names.map((name) => `https://${name}.example/`));
      expect((await events.read(0n, 10)).events.map(({ sequence }) => sequence)).toEqual([1n, 2n, 3n, 4n, 5n, 6n]);
      expect(await plants.count()).toBe(6);
    }
  });

  test('a change waits two seconds for a lock on another node', async () => {
    const { plants } = await openOn(0);
    await using other = new SQL(urlOn(0), { max: 1 });
    await other.unsafe(`BEGIN; UPDATE ${schema}.log_head SET sequence = sequence`);
    const refused = expect(plants.create({ id: 1n, name: 'Rose' })).rejects.toMatchObject({ code: 'unavailable' });
    expectPace('the refusal', await idleMs(Promise.resolve(refused)), 3500);
    await other.unsafe('ROLLBACK');
    await plants.create({ id: 1n, name: 'Rose' });
  });

  test('a change is made once when the nodes lose their connection during its COMMIT', async () => {
    const { plants, events } = await openOn(0);
    const table = `${schema}.plants`;
    const [home] = await nodes[0]`SELECT nodeport AS port FROM citus_shards WHERE table_name = ${table}::regclass`;
    await using proxy = await startProxy(`postgres://127.0.0.1:${home.port}`);
    const port = Number(new URL(proxy.url).port);
    const replacePort = async (from: number, to: number): Promise<void> => {
      await nodes[0]`SELECT citus_update_node(nodeid, '127.0.0.1', ${to}) FROM pg_dist_node WHERE nodeport = ${from}`;
      await until(async () => (await nodes[0]`SELECT FROM pg_dist_node WHERE NOT metadatasynced`).length === 0);
    };
    await replacePort(home.port, port);
    let id = 0n;
    for (const how of ['before', 'after', 'running'] as const) {
      id += 1n;
      const broken = proxy.breakAt(/^COMMIT/, how);
      const created = plants.create({ id, name: how });
      await broken;
      expect(await created).toMatchObject({ id, name: how });
    }
    const log = await events.read(0n, 10);
    expect(log.events.map(({ sequence, type }) => [sequence, type])).toEqual([
      [1n, 'plant.created'],
      [2n, 'plant.created'],
      [3n, 'plant.created'],
    ]);
    await replacePort(port, home.port);
  });

  test('a worker refuses a schema without tables, and names the coordinator', async () => {
    const { exitCode, stderr } = await runCommand(['migrate', '--database', urlOn(1)]);
    expect(stderr).toContain('This is a worker of Citus; run migrate with the URL of the coordinator first.');
    expect(exitCode).toBe(1);
  });

  test('copy moves a store from a file to a distributed schema and back', async () => {
    using folder = temporaryFolder();
    const [from, to] = [folder.file('from.sqlite'), folder.file('to.sqlite')];
    for (const name of ['b', 'a', 'c'])
      expect((await runCommand(['token', 'create', '--name', name, '--database', from])).exitCode).toBe(0);
    for (const [source, target] of [
      [from, urlOn(0)],
      [urlOn(0), to],
    ] as const)
      expect(await runCommand(['copy', source, target])).toMatchObject({ exitCode: 0 });
    const list = async (database: string) => (await runCommand(['token', 'list', '--database', database])).stdout;
    expect(await list(to)).toBe(await list(from));
    expect(await list(urlOn(0))).toBe(await list(from));
  });

  test.each([
    ['distributed by its id', "create_distributed_table('plants', 'id')"],
    ['on every node', "create_reference_table('plants')"],
  ])('a table that is %s stops a start and a command, until it is local again', async (_how, distribute) => {
    await onCoordinator(`DROP SCHEMA ${schema}; SET citus.enable_schema_based_sharding = off; CREATE SCHEMA ${schema}`);
    await (await openPostgres(urlOn(0))).close();
    await onCoordinator(`SET search_path = ${schema}; SELECT ${distribute}`);
    const refused = 'Citus distributes tables of the store, which is not supported: plants.';
    await expect(openPostgres(urlOn(0))).rejects.toThrow(refused);
    expect(await runCommand(['token', 'list', '--database', urlOn(0)])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(refused),
    });
    await onCoordinator("SELECT undistribute_table('plants'); RESET search_path");
    await onCoordinator('RESET citus.enable_schema_based_sharding');
    await (await openOn(0)).plants.create({ id: 1n, name: 'Rose' });
  });
});

/** The tables of Citus that have the distribution, without Citus. */
const catalog = `
  CREATE TABLE pg_dist_partition (logicalrelid regclass, colocationid int);
  CREATE TABLE pg_dist_schema (schemaid oid);
  CREATE TABLE pg_dist_local_group (groupid int)`;

describe.each(['garden', 'Garden of "Rose"'])('in the schema %s', (schema) => {
  const name = `"${schema.replaceAll('"', '""')}"`;
  const openSchema = async (open: AsyncDisposableStack) => {
    const database = open.use(await bareDatabase());
    const url = `${database.url}?options=${encodeURIComponent(`-c search_path=${name.replaceAll(' ', '\\ ')}`)}`;
    const sql = open.use(new SQL(database.url, { max: 1 }));
    await sql.unsafe(`CREATE SCHEMA ${name}; SET search_path = ${name}; ${catalog}`);
    const connectAsCitus = async () => {
      const session = open.use(await connect(addressesOf(parsePostgresUrl(url)), async () => {}));
      return { ...session, isCitus: true };
    };
    return { url, sql, connectAsCitus };
  };

  test.each([
    ['a table that is distributed by a column', "INSERT INTO pg_dist_partition VALUES ('events', 1)", true],
    ['a table of another program', "INSERT INTO pg_dist_partition VALUES ('others', 1)", false],
    ['a table without a colocation group', "INSERT INTO pg_dist_partition VALUES ('events', 0)", false],
    [
      'a distributed schema',
      `INSERT INTO pg_dist_partition VALUES ('events', 1); INSERT INTO pg_dist_schema VALUES ('${name}'::regnamespace)`,
      false,
    ],
  ])('%s, refused or not', async (_what, distribute, isRefused) => {
    await using open = new AsyncDisposableStack();
    const { url, sql, connectAsCitus } = await openSchema(open);
    await (await openPostgres(url)).close();
    await sql.unsafe(`CREATE TABLE others (); ${distribute}`);
    const checking = expectOneNode(await connectAsCitus()).then(
      () => false,
      ({ message }) => String(message).includes('not supported: events.'),
    );
    expect(await checking).toBe(isRefused);
  });

  test('a worker refuses to create the tables, and the coordinator creates them', async () => {
    await using open = new AsyncDisposableStack();
    const { sql, connectAsCitus } = await openSchema(open);
    await sql.unsafe(`
      INSERT INTO pg_dist_schema VALUES ('${name}'::regnamespace); INSERT INTO pg_dist_local_group VALUES (1)`);
    const refused = 'This is a worker of Citus; run migrate with the URL of the coordinator first.';
    await expect(migrate(await connectAsCitus(), { create: true })).rejects.toThrow(refused);
    await sql.unsafe('UPDATE pg_dist_local_group SET groupid = 0');
    expect(await migrate(await connectAsCitus(), { create: true })).not.toBeEmpty();
  });
});

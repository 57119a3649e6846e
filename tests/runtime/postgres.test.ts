/** The client of PostgreSQL on each runtime: what `src/postgres/driver/driver.ts` promises. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { expectPace } from '../support/pace.ts';
import { bareDatabase, type TestDatabase } from '../support/postgres/postgres-database.ts';
import { startProxy } from '../support/postgres/proxy.ts';
import { type ProgramOn, startOn } from '../support/programs/program-on.ts';
import { runtimeNames } from '../support/programs/runtimes.ts';
import type { PostgresCommand, PostgresQuery } from './postgres-program.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await bareDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

interface Result {
  /** In the order in which they came. */
  readonly outcomes: readonly unknown[];
  /** The place of each in its batch. */
  readonly settled: readonly number[];
  readonly isEnded: boolean;
  /** Of each batch. */
  readonly elapsedMs: readonly number[];
}

describe.each(runtimeNames)('on %s', (runtime) => {
  let program: ProgramOn;
  let count = 0;
  beforeAll(() => {
    program = startOn(runtime, 'postgres-program.ts');
  });
  afterAll(() => program[Symbol.asyncDispose]());

  const run = async (
    batches: readonly (readonly PostgresQuery[])[],
    options: Partial<PostgresCommand> = {},
  ): Promise<Result> => {
    count += 1;
    program.send({ id: count, url: database.url, batches, ...options });
    return Object(await program.result('id', count));
  };

  test('values have their types, and integers of 64 bits are exact', async () => {
    const text = `SELECT $1::int8 AS big, $2::int4 AS small, $3::float8 AS float, $4::bool AS is_it, $5::text AS word, $6::text AS none`;
    const parameters = ['-9223372036854775808n', 5, 0.5, true, '"\\\'{}, é 🌱\n', null] as const;
    const { outcomes } = await run([[['query', text, ...parameters]]]);
    const [big, small, float, is_it, word, none] = parameters;
    expect(outcomes).toEqual([{ command: 'SELECT', count: 1, rows: [{ big, small, float, is_it, word, none }] }]);
  });

  test('a statement without rows has the number of those that it wrote, and several statements can be one text', async () => {
    const { outcomes } = await run([
      [['simple', 'CREATE TEMPORARY TABLE one (n int8 PRIMARY KEY); INSERT INTO one VALUES (1)']],
      [
        ['query', 'INSERT INTO one SELECT * FROM unnest($1::int8[])', '{2,3,9223372036854775807}'],
        ['query', 'SELECT n FROM one ORDER BY n'],
      ],
    ]);
    expect(outcomes.slice(1)).toEqual([
      { command: 'INSERT', count: 3, rows: [] },
      { command: 'SELECT', count: 4, rows: ['1n', '2n', '3n', '9223372036854775807n'].map((n) => ({ n })) },
    ]);
  });

  test('queries are sent without a wait for responses', async () => {
    await using proxy = await startProxy(database.url);
    proxy.delay(50);
    const batch: PostgresQuery[] = [
      ['query', 'BEGIN'],
      ['query', 'SELECT $1::int8', '1n'],
      ['query', 'SELECT $1::text', 'a'],
      ['query', 'COMMIT'],
    ];
    // The first batch prepares the statements. The others are the same ones with a wait for each response.
    const { settled, elapsedMs } = await run([batch, batch, ...batch.map((query) => [query])], { url: proxy.url });
    expect(settled).toEqual([0, 1, 2, 3, 0, 1, 2, 3, 0, 0, 0, 0]);
    const [, together = 0, ...waiting] = elapsedMs;
    expectPace('the batch', together, waiting.reduce((sum, ms) => sum + ms, 0) / 2);
  });

  test('queries fail with the SQLSTATE, in their order, and the COMMIT of a failed transaction is a ROLLBACK', async () => {
    const { outcomes, settled, isEnded } = await run([
      [
        ['query', 'BEGIN'],
        ['query', 'SELECT 1 / $1::int4', 0],
        ['query', 'SAVEPOINT none'],
        ['query', 'SELECT $1::int4 AS n', 1],
        ['simple', 'SELECT 1'],
        ['query', 'COMMIT'],
      ],
      [['query', 'SELECT $1::int4 AS n', 1]],
    ]);
    const [begin, divided, savepoint, selected, simple, commit, after] = outcomes;
    expect(begin).toMatchObject({ command: 'BEGIN' });
    expect([divided, savepoint, selected, simple]).toEqual(['22012', '25P02', '25P02', '25P02']);
    expect(commit).toMatchObject({ command: 'ROLLBACK' });
    expect(after).toMatchObject({ rows: [{ n: 1 }] });
    expect(settled).toEqual([0, 1, 2, 3, 4, 5, 0]);
    expect(isEnded).toBe(false);
  });

  test('a statement that cannot be prepared fails for each of its uses in the same way', async () => {
    const missing: PostgresQuery = ['query', 'SELECT * FROM missing WHERE n = $1', 1];
    const { outcomes } = await run([
      [missing, missing, missing],
      [missing, missing],
    ]);
    expect(outcomes).toEqual(Array(5).fill('42P01'));
  });

  test('after its end a connection rejects every query, and does not reconnect', async () => {
    const select: PostgresQuery = ['query', 'SELECT $1::int4 AS n', 1];
    const end: PostgresQuery = ['query', 'SELECT pg_terminate_backend(pg_backend_pid(), $1)', 0];
    const { outcomes, isEnded } = await run([[select, end, select], [select], [['simple', 'SELECT 1']]]);
    expect(outcomes[0]).toMatchObject({ rows: [{ n: 1 }] });
    // With the reason of the server if it gave one.
    for (const outcome of outcomes.slice(1)) expect(outcome).toBeOneOf(['57P01', 'lost']);
    expect(outcomes).toHaveLength(5);
    expect(isEnded).toBe(true);
  });

  test('a connection that is closed rejects the queries without a response immediately', async () => {
    // Longer than the time limit of the test.
    const sleep: PostgresQuery = ['query', 'SELECT pg_sleep($1)', 3600];
    const { outcomes, isEnded } = await run([[sleep, sleep]], { isClosedEarly: true });
    expect(outcomes).toEqual(['lost', 'lost']);
    expect(isEnded).toBe(true);
  });

  test('a connection that cannot be made has the SQLSTATE of the server, or is lost', async () => {
    const missing = new URL(database.url);
    missing.pathname = 'missing';
    expect((await run([], { url: missing.href })).outcomes).toEqual(['3D000']);
    expect((await run([], { url: 'postgres://plant@127.0.0.1:1/postgres' })).outcomes).toEqual(['lost']);
  });

  test('notifications arrive until the connection ends', async () => {
    count += 1;
    const id = count;
    const channel = `"Channel" ${runtime}`;
    program.send({ id, url: database.url, channel, batches: [] });
    await program.result('id', id);
    const payload = `${runtime} 🌱`;
    await run([[['query', 'SELECT pg_notify($1, $2)', channel, payload]]]);
    expect(await program.result('payload', payload)).toEqual({ payload });
    const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query ILIKE 'listen%'`;
    await run([[['query', end]]]);
    expect(await program.result('ended', id)).toEqual({ ended: id });
  });
});

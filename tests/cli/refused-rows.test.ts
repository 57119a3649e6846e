/** What the log and the commands write when a rule of another program refuses a row. */
import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { SQL } from 'bun';
import { temporaryFolder } from '../support/folder.ts';
import { createPlant, giveToken } from '../support/network/served.ts';
import { bareDatabase, type TestDatabase } from '../support/postgres/postgres-database.ts';
import { runCommand } from '../support/programs/command.ts';
import { type RunningServer, startServer } from '../support/programs/process.ts';
import { createWorkplace } from '../support/programs/workplace.ts';

/** All values of refused rows. */
const plant = { id: 8123456789, name: 'Hidden Rose', tag: 'hidden-tag' };
const webhook = { url: 'https://hidden.example.com/hidden-path', secret: `whsec_${btoa('a hidden secret of 24 b!')}` };
const values = /hidden|8123456789|whsec_|YSBoaWRkZW4/i;

interface Engine {
  readonly name: string;
  readonly createDatabase: () => Promise<TestDatabase>;
  /** Runs the SQL of another program. */
  readonly alter: (url: string, sql: string) => Promise<unknown>;
  readonly check: string;
  readonly trigger: string;
  /** The errors in the log for a plant and for a webhook. */
  readonly refusedByCheck: readonly object[];
  readonly refusedByTrigger: object;
}

const sqlite: Engine = {
  name: 'SQLite',
  createDatabase: async () => {
    const folder = temporaryFolder();
    return { url: folder.file('p.sqlite'), [Symbol.asyncDispose]: async () => folder[Symbol.dispose]() };
  },
  alter: async (url, sql) => {
    using other = new Database(url);
    // The service may be writing.
    other.run('PRAGMA busy_timeout = 10000');
    other.run(sql);
  },
  check: `
    ALTER TABLE plants ADD COLUMN extra TEXT CONSTRAINT plant_rule CHECK (name NOT LIKE 'Hid%');
    ALTER TABLE webhooks ADD COLUMN extra TEXT CONSTRAINT webhook_rule CHECK (url NOT LIKE '%/hid%')`,
  trigger: ['plants', 'webhooks']
    .map(
      (table) => `CREATE TRIGGER refuse_${table} BEFORE INSERT ON ${table} BEGIN
        SELECT RAISE(ABORT, 'Hidden Rose, hidden.example.com, ${webhook.secret}'); END;`,
    )
    .join('\n'),
  refusedByCheck: ['plant_rule', 'webhook_rule'].map((constraint) => ({ code: 'SQLITE_CONSTRAINT_CHECK', constraint })),
  refusedByTrigger: { code: 'SQLITE_CONSTRAINT_TRIGGER' },
};

const postgres: Engine = {
  name: 'PostgreSQL',
  createDatabase: bareDatabase,
  alter: async (url, text) => {
    await using sql = new SQL(url, { max: 1 });
    await sql.unsafe(text);
  },
  check: `
    ALTER TABLE plants ADD CONSTRAINT plant_rule CHECK (name NOT LIKE 'Hid%');
    ALTER TABLE webhooks ADD CONSTRAINT webhook_rule CHECK (url NOT LIKE '%/hid%')`,
  trigger: `
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE EXCEPTION 'refused %', NEW USING DETAIL = NEW, HINT = NEW; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON plants FOR EACH ROW EXECUTE FUNCTION refuse();
    CREATE TRIGGER refuse BEFORE INSERT ON webhooks FOR EACH ROW EXECUTE FUNCTION refuse()`,
  refusedByCheck: [
    { sqlState: '23514', table: 'plants', constraint: 'plant_rule', routine: 'ExecConstraints' },
    { sqlState: '23514', table: 'webhooks', constraint: 'webhook_rule', routine: 'ExecConstraints' },
  ],
  refusedByTrigger: { sqlState: 'P0001', routine: 'exec_stmt_raise' },
};

/** Creates the plant and the webhook, which both get 500, and returns the log of the server. */
const logOfRefusals = async (server: RunningServer, token: string): Promise<RunningServer['log']> => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  expect((await createPlant(server.url, token, JSON.stringify(plant))).status).toBe(500);
  const body = JSON.stringify(webhook);
  expect((await fetch(`${server.url}/webhooks`, { method: 'POST', headers, body })).status).toBe(500);
  server.kill();
  await server.exited;
  return server.log;
};

describe.each([sqlite, postgres])('$name', ({ createDatabase, alter, check, trigger, ...expected }) => {
  test.each([
    ['a CHECK', check, expected.refusedByCheck],
    ['a trigger', trigger, [expected.refusedByTrigger, expected.refusedByTrigger]],
  ])(
    'the log names the rule when %s of another program refuses a row, and has no value of the row',
    async (_, sql, refused) => {
      await using database = await createDatabase();
      const token = await giveToken(database.url);
      await using server = await startServer(database.url, { env: { LOG_LEVEL: 'trace' } });
      await alter(database.url, sql);
      const log = await logOfRefusals(server, token);
      expect(log.filter(({ msg }) => msg === 'defect')).toMatchObject(refused.map((err) => ({ level: 'error', err })));
      expect(JSON.stringify(log)).not.toMatch(values);
    },
  );
});

/** Only on PostgreSQL: a SQLite database with an altered schema is not opened. */
describe('a command', () => {
  test.each([
    [
      'a CHECK',
      postgres.check,
      ['sqlState 23514, table plants, constraint plant_rule', 'table webhooks, constraint webhook_rule'],
    ],
    ['a trigger', postgres.trigger, ['sqlState P0001', 'sqlState P0001']],
  ])(
    'import, copy and webhook add name the rule when %s refuses a row, and print no value of the row',
    async (_, sql, [ofPlants = '', ofWebhooks = '']) => {
      await using database = await bareDatabase();
      using work = createWorkplace();
      work.write('plants.ndjson', JSON.stringify(plant));
      expect((await work.run('import', 'plants.ndjson')).exitCode).toBe(0);
      expect((await runCommand(['migrate', '--database', database.url])).exitCode).toBe(0);
      await postgres.alter(database.url, sql);
      for (const [args, rule] of [
        [['import', work.file('plants.ndjson'), '--database', database.url], ofPlants],
        [['import', work.file('plants.ndjson'), '--on-conflict', 'replace', '--database', database.url], ofPlants],
        [['copy', work.database, database.url], ofPlants],
        [['webhook', 'add', webhook.url, '--database', database.url], ofWebhooks],
      ] as const) {
        const { exitCode, stdout, stderr } = await runCommand(args);
        expect({ args, exitCode, stdout }).toEqual({ args, exitCode: 1, stdout: '' });
        expect(stderr).toContain(rule);
        expect(stderr).not.toMatch(values);
      }
    },
  );
});

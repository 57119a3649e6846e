import type { SQL } from 'bun';
import type { TcpProxy } from '../../support/postgres/proxy.ts';
import { runProgram } from '../../support/programs/process.ts';

/** Makes one commit in ten wait up to a tenth of a second, mostly much shorter, after all that its transaction does. */
export const delayCommits = async (sql: SQL): Promise<void> => {
  await sql.unsafe(`
    CREATE FUNCTION wait_before_commit() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_sleep(0.1 * power(random(), 4));
      RETURN NULL;
    END $$;
    CREATE CONSTRAINT TRIGGER wait_before_commit AFTER INSERT ON transactions DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW WHEN (random() < 0.1) EXECUTE FUNCTION wait_before_commit();
  `);
};

export interface Delayed {
  /** One for each server. */
  readonly proxies: readonly TcpProxy[];
  /** The URL of the database, without a proxy. */
  readonly url: string;
  readonly sql: SQL;
  /** A file for plants to import. */
  readonly file: string;
  readonly random: () => number;
}

/** Delays transactions in every other way, once each: on the network, before COMMIT, at locks, and by an import. */
export const delayTransactions = async ({ proxies, url, sql, file, random }: Delayed, round: number): Promise<void> => {
  for (const proxy of proxies) proxy.delay(random() < 0.5 ? 0 : 20 * random());
  const importing = importPlants(url, file, round);
  // One after the other, since the second lock would stop all writers while it waits for the COMMIT.
  await holdCommit(proxies[round % proxies.length], random);
  // Plants that batches lock before they take their numbers.
  await holdLock(sql, `SELECT FROM plants WHERE id % 10 = ${round % 10} ORDER BY id FOR UPDATE`, random);
  // A table that batches write to after they have taken their numbers.
  await holdLock(sql, 'LOCK TABLE events IN SHARE MODE', random);
  await importing;
};

/** The COMMIT of one transaction arrives late, and its process has lost the connection. */
const holdCommit = async (proxy: TcpProxy | undefined, random: () => number): Promise<void> => {
  const held = await proxy?.breakAt(/^COMMIT/, 'hold');
  await Bun.sleep(holdMs(random));
  await held?.release();
};

const holdLock = (sql: SQL, statement: string, random: () => number): Promise<void> =>
  sql.begin(async (transaction) => {
    await transaction.unsafe(statement);
    await Bun.sleep(holdMs(random));
  });

/** Shorter than any limit of the service. */
const holdMs = (random: () => number): number => 200 + 300 * random();

/** The plants are not those of the load. The first import creates them, and each later one changes half of them. */
const importPlants = async (url: string, file: string, round: number): Promise<void> => {
  const plants = Array.from({ length: importedPlants }, (_, n) => ({
    id: 1_000_000 + n,
    name: n % 2 === 0 ? 'n' : `n${round}`,
  }));
  await Bun.write(file, plants.map((plant) => JSON.stringify(plant)).join('\n'));
  const { exitCode, stderr } = await runProgram(['import', file, '--on-conflict', 'replace', '--database', url]);
  if (exitCode !== 0) throw new Error(`An import failed: ${stderr}`);
};

const importedPlants = 2000;

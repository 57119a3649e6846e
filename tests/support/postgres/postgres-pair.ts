/** Two PostgreSQL servers, a primary and its standby, which can exchange their roles. */
import { SQL } from 'bun';
import { type Host, thisHost } from '../network/host.ts';
import { until } from '../until.ts';
import { type PostgresServer, type Settings, startPostgres } from './postgres-server.ts';

export interface PostgresPair extends AsyncDisposable {
  /** Names both servers. */
  readonly url: string;
  primary(): PostgresServer;
  standby(): PostgresServer;
  /** Makes each commit of the primary wait for the standby. Resolves once one was seen to wait, so clients must be writing. */
  synchronize(): Promise<void>;
  /** Resolves while a commit waits for the standby, which cannot confirm it. */
  untilCommitWaits(): Promise<void>;
  /** Silently stops all data to the standby. */
  lag(): Promise<void>;
  /** Promotes the standby. The other server must have ended, or not respond any more. */
  promote(): Promise<void>;
  /** Makes a new standby of the server that was the primary before. */
  rejoin(): Promise<void>;
}

/**
 * Starts a primary and an asynchronous standby, each on its host. `programs` is the folder of all programs. Use with `await using`.
 */
export const startPair = async (
  programs: string,
  settings: Settings = {},
  [a, b]: readonly [Host, Host] = [thisHost, thisHost],
): Promise<PostgresPair> => {
  const all = { ...pairSettings, ...settings };
  let [primary, standby] = await Promise.all([startPostgres(all, programs, a), startPostgres(all, programs, b)]);
  await standby.follow(primary);

  /** Resolves to the ids of processes that the statement selects, if it does. */
  const onPrimary = async (statement: string): Promise<{ pid: number }[]> => {
    await using sql = new SQL(primary.url, { max: 1 });
    return await sql.unsafe(statement);
  };
  const untilCommitWaits = () =>
    until(async () => (await onPrimary("SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'")).length > 0);
  return {
    url: `postgres://plant@${[primary, standby].map(({ url }) => new URL(url).host).join()}/postgres`,
    primary: () => primary,
    standby: () => standby,
    synchronize: async () => {
      // Only after the copy: a copy that has the setting too would wait for its own standby.
      await onPrimary("ALTER SYSTEM SET synchronous_standby_names = '*'");
      await onPrimary('SELECT pg_reload_conf()');
      await untilCommitWaits();
    },
    untilCommitWaits,
    lag: async () => {
      for (const { pid } of await onPrimary('SELECT pid FROM pg_stat_replication')) process.kill(pid, 'SIGSTOP');
    },
    promote: async () => {
      await standby.promote();
      [primary, standby] = [standby, primary];
    },
    rejoin: () => standby.follow(primary),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([primary, standby].map((server) => server[Symbol.asyncDispose]()));
    },
  };
};

const pairSettings: Settings = {
  // While a standby tries to connect to a lost primary, it misses the request to promote it, and sees it only at its next try.
  wal_retrieve_retry_interval: '100ms',
};

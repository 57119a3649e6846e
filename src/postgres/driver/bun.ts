import { type ReservedSQL, SQL } from 'bun';
import { codeOf } from '../../base/error.ts';
import type {
  PostgresAddress,
  PostgresConnection,
  PostgresDriver,
  PostgresParameter,
  PostgresQueries,
} from './driver.ts';

/** Bun.SQL, as a pool of one connection, which is reserved: the pool would send the rest of a transaction on another connection. */
export const postgres: PostgresDriver = {
  connect: (address) =>
    openPool(address, { bigint: true, prepare: address.pooler !== 'transaction' }, async (pool) =>
      queriesOf(await pool.reserve()),
    ),

  // Bun sends no queries on a connection that listens.
  listen: (address, channel, onNotification) => {
    const connection = openPool(address, {}, (pool) => pool.listen(channel, onNotification));
    // Bun would reconnect, only to this server, after pauses of up to half a minute.
    connection.ended.addEventListener('abort', connection.close, { once: true });
    return connection;
  },

  stateOf: (error) => (error instanceof SQL.PostgresError && error.errno !== undefined ? `${error.errno}` : undefined),

  isConnectionError: (error) => /^ERR_POSTGRES_(?!SERVER_ERROR)/.test(codeOf(error) ?? ''),
};

const openPool = <Opened>(
  address: PostgresAddress,
  options: Bun.SQL.PostgresOrMySQLOptions,
  use: (pool: SQL) => Promise<Opened>,
): PostgresConnection<Opened> => {
  const ended = new AbortController();
  const close = (): void => {
    ended.abort();
    void pool.close({ timeout: 0 }).catch(() => {});
  };
  const pool = new SQL({
    ...optionsOf(address),
    ...options,
    adapter: 'postgres',
    max: 1,
    idleTimeout: 0,
    maxLifetime: 0,
    onclose: () => ended.abort(),
  });
  return { opened: use(pool), ended: ended.signal, close };
};

const queriesOf = (sql: ReservedSQL): PostgresQueries => {
  const create = (text: string, parameters: readonly PostgresParameter[] = []) =>
    // Bun does not pipeline `unsafe` without parameters.
    parameters.length === 0 ? sql(templateOf(text)) : sql.unsafe(text, parameters as PostgresParameter[]);
  return {
    // Without `execute`, a query is sent when it is awaited.
    query: (text, parameters) => create(text, parameters).execute(),
    simple: (text) => sql.unsafe(text).simple().execute(),
  };
};

const templateOf = (text: string): TemplateStringsArray =>
  Object.defineProperty(Object.assign([text], { raw: [text] }), 'raw', { enumerable: false });

/**
 * They set everything that Bun would otherwise read from the environment (`DATABASE_URL`, `PGSSLMODE`, `PGPASSWORD` and others).
 * `PGOPTIONS` has no option: `config.ts` removes it.
 */
const optionsOf = (address: PostgresAddress): Bun.SQL.PostgresOrMySQLOptions => ({
  // Without a URL, Bun reads DATABASE_URL, and fails when it names several hosts. Without an sslmode in it, PGSSLMODE=verify-ca
  // weakens verify-full. The options below override the rest of the URL.
  url: `postgres://localhost?sslmode=${address.sslmode}`,
  hostname: address.host,
  port: address.port,
  username: address.user,
  // Bun replaces an empty text by PGPASSWORD, but not a function that returns one.
  password: address.password,
  database: address.database,
  tls: address.tls ?? address.sslmode,
  channelBinding: address.channelBinding,
  ...(address.connectTimeoutSeconds !== undefined && { connectionTimeout: address.connectTimeoutSeconds }),
  connection: {
    application_name: address.applicationName,
    ...(address.serverOptions !== '' && { options: address.serverOptions }),
  },
});

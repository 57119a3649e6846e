/** The client with which tests look into PostgreSQL: Bun.SQL, and on Node and Deno one connection with what the tests use of it. */
import { postgres } from '#runtime/postgres/driver';
import type { PostgresParameter, PostgresQueries } from '../../../src/postgres/driver/driver.ts';
import { parsePostgresUrl } from '../../../src/postgres/driver/url.ts';
import { addressesOf } from '../../../src/postgres/session/address.ts';

type Listened = { close(): void } & AsyncDisposable;

interface Sql extends AsyncDisposable {
  (strings: TemplateStringsArray, ...parameters: PostgresParameter[]): Query;
  unsafe(text: string, parameters?: PostgresParameter[]): Query;
  begin<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
  listen(channel: string, onNotification: (payload: string) => void): Promise<Listened>;
  reserve(): Promise<Sql & { release(): void }>;
  close(): Promise<void>;
}

/** It is sent after the code that made it, which can ask for values. */
type Query = Promise<unknown> & Record<'execute' | 'simple' | 'values', () => Promise<unknown>>;

/** To be called with `new`, as Bun's class is, whose instances are functions too. */
function OneConnection(url: string): Sql {
  const [address] = addressesOf(parsePostgresUrl(url));
  if (!address) throw new Error(`${url} has no host.`);
  let connection: ReturnType<typeof postgres.connect> | undefined;
  const open = (): Promise<PostgresQueries> => {
    connection ??= postgres.connect(address);
    return connection.opened;
  };
  const create = (text: string, parameters: readonly PostgresParameter[] = []): Query => {
    let isValues = false;
    const sent: Promise<unknown> = Promise.resolve().then(async () => {
      const queries = await open();
      const rows = toBunRows(await (parameters.length === 0 ? queries.simple(text) : queries.query(text, parameters)));
      return isValues ? rows.map(Object.values) : rows;
    });
    // As in Bun, the error of a query that no code awaits is not reported.
    sent.catch(() => {});
    const values = (): Promise<unknown> => {
      isValues = true;
      return sent;
    };
    return Object.assign(sent, { execute: () => sent, simple: () => sent, values });
  };
  const close = async (): Promise<void> => connection?.close();
  const sql: Sql = Object.assign(
    (strings: TemplateStringsArray, ...parameters: PostgresParameter[]) =>
      create(
        strings.reduce((text, part, index) => `${text}$${index}${part}`),
        parameters,
      ),
    {
      unsafe: create,
      begin: async <Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> => {
        await create('BEGIN');
        try {
          const result = await work(sql);
          await create('COMMIT');
          return result;
        } catch (error) {
          await create('ROLLBACK');
          throw error;
        }
      },
      reserve: async () => Object.assign(OneConnection(url), { release: () => {} }),
      listen: async (channel: string, onNotification: (payload: string) => void): Promise<Listened> => {
        const listener = postgres.listen(address, channel, onNotification);
        await listener.opened;
        return { close: listener.close, [Symbol.asyncDispose]: async () => listener.close() };
      },
      close,
      [Symbol.asyncDispose]: close,
    },
  );
  return sql;
}

/** Bun has an integer of 64 bits as a text, unless it is asked for bigints. */
const toBunRows = (rows: readonly object[]): object[] =>
  rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? `${value}` : value]),
    ),
  );

export type SQL = Bun.SQL;
export const SQL = 'Bun' in globalThis ? Bun.SQL : (OneConnection as unknown as typeof Bun.SQL);

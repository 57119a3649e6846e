/**
 * A connection to a PostgreSQL server, as `session/` needs it. Queries are sent when they are made, in their order and without a
 * wait for earlier responses. A connection never reconnects and never repeats a query: once it has ended, every query rejects.
 *
 * There are no time limits here. The caller closes a connection whose server does not answer.
 */
import type { PostgresHost, PostgresTarget } from './url.ts';

/**
 * How to reach a server. The environment (`PGPASSWORD`, `PGSSLMODE` and others) has no effect. `connectTimeoutSeconds` is for a client that has
 * a limit of its own, which must not be shorter. With `channelBinding: 'require'`, no password is sent and the connection fails unless the server
 * proves by SCRAM that the certificate is its own. Empty `serverOptions` are not sent, since poolers reject them.
 */
export interface PostgresAddress
  extends PostgresHost,
    Omit<PostgresTarget, 'hosts' | 'sslrootcert' | 'sslcert' | 'sslkey'> {
  /** Undefined with `disable`, and with `allow` and `prefer`, which use TLS without verification if the server supports it. */
  readonly tls: PostgresTls | undefined;
}

/** Options of `node:tls`. */
export interface PostgresTls {
  readonly rejectUnauthorized: boolean;
  /** Certificates and keys as PEM. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  /** Replaces the check of the host name. */
  readonly checkServerIdentity?: () => undefined;
}

/** What a query may take. An array is a text in PostgreSQL's syntax. The server determines the type of each parameter from the statement. */
export type PostgresParameter = string | number | bigint | boolean | null;

/**
 * The rows of a query: `int8` as bigint, `int2`, `int4`, `oid` and floats as number, `bool` as boolean, null as null, and any text as string.
 * Others are not promised.
 */
export interface PostgresRows<Row> extends Array<Row> {
  /** The number of rows that a statement has read or written. */
  readonly count: number;
  /** The first word of the command tag, such as `COMMIT`. After a COMMIT of a failed transaction it is `ROLLBACK`. */
  readonly command: string;
}

/**
 * The promises settle in the order of the queries. They reject with an error of the server, see `stateOf`, or with an error for which
 * `isConnectionError` is true.
 */
export interface PostgresQueries {
  /**
   * One statement with its parameters `$1` and so on. It is prepared once for each text, but not with a pooler of transactions, since a
   * prepared statement belongs to a server session. On Bun a query that is not prepared waits for the response to the one before.
   */
  query<Row = Readonly<Record<string, unknown>>>(
    text: string,
    parameters?: readonly PostgresParameter[],
  ): Promise<PostgresRows<Row>>;
  /** One or more statements without parameters, in one round trip. Resolves to the rows if it is one statement. */
  simple<Row = Readonly<Record<string, unknown>>>(text: string): Promise<readonly Row[]>;
}

/** A connection, or the attempt to make it. */
export interface PostgresConnection<Opened> {
  /** Resolves when queries can be made. Rejects with the error of the server, or of the connection. */
  readonly opened: Promise<Opened>;
  /** Aborted when the connection has ended, for any reason. */
  readonly ended: AbortSignal;
  /** Ends the connection without waiting for its queries, which reject. */
  close(): void;
}

export interface PostgresDriver {
  connect(address: PostgresAddress): PostgresConnection<PostgresQueries>;
  /** A connection that only listens. `opened` resolves once `onNotification` will be called for each notification on this channel. */
  listen(
    address: PostgresAddress,
    channel: string,
    onNotification: (payload: string) => void,
  ): PostgresConnection<unknown>;
  /** The SQLSTATE of an error of the server (https://www.postgresql.org/docs/current/errcodes-appendix.html). Undefined for other errors. */
  stateOf(error: unknown): string | undefined;
  /** Whether the connection failed or has ended: the server may have executed the query. */
  isConnectionError(error: unknown): boolean;
}

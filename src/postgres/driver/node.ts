/**
 * The client of PostgreSQL for Node and Deno, by the package `pg`. Its `Client` is one connection, which never reconnects. With `pipeline`, it
 * sends each query immediately.
 */
import { Socket, type SocketConnectOpts } from 'node:net';
import { setTimeout } from 'node:timers';
import { Client, DatabaseError, escapeIdentifier, type QueryResult } from 'pg';
import { lookupForSocket } from '../../base/dns.ts';
import type {
  PostgresAddress,
  PostgresConnection,
  PostgresDriver,
  PostgresParameter,
  PostgresQueries,
  PostgresRows,
} from './driver.ts';

export const postgres: PostgresDriver = {
  connect: (address) => openClient(address, async (client) => queriesOf(client, address.pooler !== 'transaction')),

  listen: (address, channel, onNotification) =>
    openClient(address, (client) => {
      client.on('notification', ({ payload = '' }) => onNotification(payload));
      return client.query(`LISTEN ${escapeIdentifier(channel)}`);
    }),

  stateOf: (error) => (error instanceof DatabaseError || error instanceof PasswordMissing ? error.code : undefined),

  isConnectionError: (error) => error instanceof ConnectionError,
};

/** The connection failed or has ended. For that, `pg` has a plain Error, and the errors of sockets. */
class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  override readonly message = 'The connection to PostgreSQL failed or has ended.';
}

/** The server has asked for a password, and there is none. */
class PasswordMissing extends Error {
  override readonly name = 'PasswordMissing';
  override readonly message = 'The server asks for a password.';
  /** That of a wrong password. */
  readonly code = '28P01';
}

const toClientError = (cause: unknown): unknown =>
  cause instanceof DatabaseError || cause instanceof PasswordMissing
    ? cause
    : new ConnectionError(undefined, { cause });

const openClient = <Opened>(
  address: PostgresAddress,
  use: (client: OneConnection) => Promise<Opened>,
): PostgresConnection<Opened> => {
  const ended = new AbortController();
  // libpq uses no TLS on a Unix socket.
  let client = new OneConnection(address, address.sslmode !== 'disable' && !address.host.startsWith('/'));
  const close = (): void => {
    ended.abort();
    client.close();
  };
  const connect = async (): Promise<Opened> => {
    try {
      await client.connect();
      client.once('end', () => ended.abort());
      return await use(client);
    } catch (error) {
      client.close();
      if (client.isTlsMissing && !address.tls && !ended.signal.aborted) {
        client = new OneConnection(address, false);
        return connect();
      }
      ended.abort();
      throw toClientError(error);
    }
  };
  return { opened: connect(), ended: ended.signal, close };
};

/** A socket that looks names up without blocking a thread. `pg` connects it to a port and a host, or to a path. */
const createSocket = (): Socket => {
  const socket = new Socket();
  const connect: (options: SocketConnectOpts) => Socket = socket.connect.bind(socket);
  return Object.assign(socket, {
    connect: (target: number | string, host = '') =>
      connect(typeof target === 'string' ? { path: target } : { port: target, host, lookup: lookupForSocket }),
  });
};

class OneConnection extends Client {
  /** Whether the server does not support TLS. */
  isTlsMissing = false;
  /** The number of queries without a response, and one for the attempt to connect. */
  pending = 1;
  readonly #address: PostgresAddress;
  readonly #socket: Socket;

  constructor(address: PostgresAddress, isEncrypted: boolean) {
    const socket = createSocket();
    super({
      host: address.host,
      port: address.port,
      user: address.user,
      database: address.database,
      password: address.password,
      ssl: isEncrypted && { ...(address.tls ?? { rejectUnauthorized: false }) },
      sslnegotiation: 'postgres',
      enableChannelBinding: isEncrypted && address.channelBinding !== 'disable',
      pipeline: true,
      types,
      stream: () => socket,
    });
    this.#address = address;
    this.#socket = socket;
    if (isEncrypted) socket.once('data', ([first]) => (this.isTlsMissing = first === 'N'.charCodeAt(0)));
    this.#checkAuthentication();
    // The queries reject, and `end` follows.
    this.on('error', () => socket.destroy());
    this.once('connect', () => (this.pending -= 1));
  }

  /** Replaces that of `pg`, which also reads the environment. */
  getStartupConf(): Readonly<Record<string, string>> {
    const { user, database, applicationName, serverOptions } = this.#address;
    return {
      user,
      database,
      application_name: applicationName,
      ...(serverOptions !== '' && { options: serverOptions }),
    };
  }

  /** Refuses before `pg` answers the server, since its listeners are called later. It would send the password without channel binding. */
  #checkAuthentication(): void {
    const { channelBinding, password } = this.#address;
    let isBound = channelBinding !== 'require';
    for (const step of ['CleartextPassword', 'MD5Password', 'SASL', 'Ok'])
      this.connection.once(`authentication${step}`, ({ mechanisms = [] }: { readonly mechanisms?: string[] }) => {
        isBound ||= mechanisms.includes('SCRAM-SHA-256-PLUS');
        const refuse = (error: Error): void => void this.connection.stream.destroy(error);
        if (!isBound) refuse(new Error('The server does not support channel binding.'));
        else if (step !== 'Ok' && password() === '') refuse(new PasswordMissing());
      });
  }

  close(): void {
    if (this.pending > 0) this.#socket.destroy();
    // Tells the server, so that it releases the locks of the session at once.
    else void this.end();
    setTimeout(() => this.#socket.destroy(), closeMsMax).unref();
  }
}

/** How long a closed connection may take to send its last message. */
const closeMsMax = 500;

const queriesOf = (client: OneConnection, isPrepared: boolean): PostgresQueries => {
  const statements = new Map<string, Statement>();

  /** The statement to use, by its text. Undefined while it is being prepared: if that fails, its name does not exist. */
  const nameOf = (text: string): Statement | undefined => {
    const statement = statements.get(text) ?? { name: `P${statements.size}`, isReady: false, isPreparing: false };
    statements.set(text, statement);
    return statement.isPreparing ? undefined : statement;
  };

  /** One function for all queries, since promises settle in the order of the queries only if each waits for as many others. */
  const run = async <Row>(text: string, parameters: readonly PostgresParameter[] = []): Promise<PostgresRows<Row>> => {
    const statement = isPrepared && parameters.length > 0 ? nameOf(text) : undefined;
    if (statement) statement.isPreparing = !statement.isReady;
    client.pending += 1;
    try {
      const config = { text, values: [...parameters], ...(statement && { name: statement.name }) };
      const result: QueryResult | QueryResult[] = await client.query(config);
      if (statement) statement.isReady = true;
      // Those of several statements are an array.
      const { rows, rowCount, command } = Array.isArray(result) ? result[0] : result;
      return Object.assign(rows, { count: rowCount ?? 0, command });
    } catch (error) {
      throw toClientError(error);
    } finally {
      if (statement) statement.isPreparing = false;
      client.pending -= 1;
    }
  };

  return {
    query: run,
    simple: (text) => run(text),
  };
};

interface Statement {
  readonly name: string;
  isReady: boolean;
  isPreparing: boolean;
}

const asText = (value: string): string => value;

/** By the OIDs of the types, which are the same in every database. */
const parsers: ReadonlyMap<number, (value: string) => unknown> = new Map<number, (value: string) => unknown>([
  // bool, int8, int2, int4, oid, float4, float8
  [16, (value) => value === 't'],
  [20, BigInt],
  ...[21, 23, 26, 700, 701].map((oid) => [oid, Number] as const),
]);

const types = { getTypeParser: (oid: number) => parsers.get(oid) ?? asText };

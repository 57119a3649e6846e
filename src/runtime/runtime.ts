/**
 * What Bun, Deno and Node do differently. Each runtime has one file with these members, and its resolver picks that file by the
 * conditions of `#runtime` in package.json: no code asks where it runs. Only this folder may use what one runtime alone has.
 */

import type { LookUp } from '../base/dns.ts';

export interface Runtime {
  readonly name: 'bun' | 'deno' | 'node';
  /** The name as its makers write it. */
  readonly title: string;
  /** Without a `v`, such as `1.4.5`. */
  readonly version: string;
  /** The arguments before the main file in a command that starts the program. */
  readonly flags: readonly string[];
  /**
   * Writes a text to stderr, after those before it. A pipe with a slow reader does not block the process, and no error ends it. Calls `onEnd`
   * once the text is written or lost.
   */
  readonly writeToStderr: (text: string, onEnd: () => void) => void;
  /** A UUID of version 7 (RFC 9562 §5.7), which begins with the time in milliseconds. Those of one millisecond may have no order. */
  readonly timeOrderedUuid: () => string;
  readonly serve: Serve;
  readonly post: Post;
  /** Look-ups that hang delay neither each other nor the end of the process. */
  readonly lookUp: LookUp;

  /**
   * Opens the SQLite database at an absolute path, which must exist, or `:memory:`. Throws an error with the code
   * `SQLITE_CANTOPEN` if it cannot be opened. A damaged file is found by the first statement.
   */
  readonly openSqlite: (path: string, options?: OpenSqliteOptions) => SqliteClient;
}

export interface OpenSqliteOptions {
  readonly isReadOnly?: boolean;
  /** Whether no process can write the file. Then SQLite needs neither locks nor the index of a log, and nothing is written. */
  readonly isImmutable?: boolean;
}

export interface ServeOptions {
  /** An address or a name of this machine. */
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Its requests have `http://HOST` or `http://localhost` in their URL, with the path of the request line. */
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** The response to a request for which `fetch` throws or rejects. */
  readonly onError: (cause: unknown) => Response;
  /**
   * The time limit of each step of a connection, which is closed at most five seconds later:
   * - without a request: from its start or from the end of the last response, to the first byte of a request. Empty lines do not count.
   * - a request: from its first byte until its response begins. That is the time to receive the header section and the body, however
   *   steadily, and the time of `fetch`. Bun does not limit `fetch` once a body has arrived that was not in the same packet as its headers.
   * - a response: from each piece that the system accepts to the next one, so a client that reads steadily gets all of it. The system takes
   *   up to a third of its own buffer at once, some 1 MB: a client that takes longer for that looks as if it stalled.
   * - a body that `fetch` does not read: from the end of the response to the end of the body.
   *
   * Bun gives a new connection 10 seconds for its first header section.
   */
  readonly requestSecondsMax: number;
}

export interface HttpServer {
  readonly port: number;
  /** The address of the peer of a request. Undefined if the request is a copy of the one that `fetch` got. */
  readonly peerOf: (request: Request) => string | undefined;
  /** Whether a part of the response to a request is still to be given to the system. False for a copy of a request too. */
  readonly isPending: (request: Request) => boolean;
  /** Sets the time limit of a request from now to the end of its response, instead of `requestSecondsMax`; 0 for no limit. */
  readonly limitTime: (request: Request, seconds: number) => void;
  /** Accepts connections again after the process had no free descriptor. Omitted if the runtime then does so automatically. */
  readonly acceptAgain?: () => void;
  /**
   * Accepts no more connections. Resolves when each request that has begun to arrive has its response. Does not wait for connections
   * without a request.
   */
  readonly finish: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * Binds the port. Requests are read from the next turn of the event loop on. Rejects with the error of the system, whose code is
 * EADDRINUSE, EADDRNOTAVAIL or EACCES, or another one if the host is unknown.
 *
 * The requests of a connection get their responses in their order. On Node and Deno, one begins after the response to the one before it, and a
 * connection with too many that wait is closed. Bun closes a connection with a request behind one that waits, and reads the next one otherwise.
 *
 * When a client disconnects, the `signal` of its request is aborted, the read of its body rejects, and its requests that have not begun do not
 * run. A malformed request does not reach `fetch`: tests/runtime/requests.ts has what each runtime refuses and how.
 *
 * A Response with a known body has `Content-Length`; on Bun a stream never has it. A stream is asked for its next piece once the connection has
 * accepted the last one, and is cancelled when the client goes away. A response to HEAD has the headers alone, and its body is not read.
 */
export type Serve = (options: ServeOptions) => Promise<HttpServer>;

export interface PostRequest {
  /** http or https. Its host is the value of the header Host. */
  readonly url: URL;
  /** The IP address to connect to. Nothing is looked up. */
  readonly address: string;
  /** The name or address that the certificate must be for. */
  readonly serverName: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Aborts the request, or the read of its response. */
  readonly signal: AbortSignal;
  /** The certificate authorities to trust instead of those of the system, in PEM. */
  readonly ca: string | undefined;
}

export interface PostResponse {
  readonly status: number;
  readonly headers: Headers;
  /**
   * Reads the body, which is not decompressed, until its end, or until these limits or an error end the read. After the end of the body the
   * connection is used again, otherwise it is closed. May be called once.
   */
  readonly readBeginning: (limits: ReadLimits) => Promise<readonly Uint8Array[]>;
  /** Closes the connection instead. */
  readonly close: () => void;
}

export interface ReadLimits {
  /** The read ends with the piece that exceeds this. */
  readonly bytesMax: number;
  readonly timeoutMs: number;
}

/**
 * Resolves when the header section of the response has arrived. No redirect is followed, and no proxy is used. Rejects with the reason of
 * the signal, or with an error whose code names a failed connection, such as ECONNREFUSED, or a certificate that is not valid. Each end of
 * a request without a response rejects.
 *
 * A receiver that sends without end does not delay other work of the process. Node and Deno close its connection after 64 KiB, so it costs
 * milliseconds. Bun reads on its own thread: it limits the header section, but informational responses, and what is in a body beside its
 * data, only end with the signal or with the read of the body.
 */
export type Post = (request: PostRequest) => Promise<PostResponse>;

/**
 * One connection to SQLite. All calls are synchronous. An error of SQLite has the name of its extended result code as `code`, such as
 * `SQLITE_BUSY` or `SQLITE_IOERR_FSYNC`, and its message, which can quote data.
 */
export interface SqliteClient extends Disposable {
  readonly filename: string;
  readonly inTransaction: boolean;
  /** Runs one statement, to its end. */
  run(sql: string): unknown;
  /** Prepares one statement. Its values have names, as in `$id`. */
  prepare<Row = never, Values = void>(sql: string): SqliteStatement<Row, Values>;
  /** Ends all statements, and closes the file. The last connection of all processes removes the log. May be called again. */
  close(): void;
}

/** A number is an integer. */
export type SqliteValue = bigint | number | string | Uint8Array | null;

/**
 * A statement takes its values by their names, as members of type `SqliteValue`. Each must be there; others are ignored. Integers of
 * rows are bigint, and blobs are Uint8Array.
 */
export interface SqliteStatement<Row, Values = void> {
  /** Runs it, and returns how many rows an INSERT, UPDATE or DELETE has changed. */
  run(values: Values): { readonly changes: number };
  /** Runs it, and returns all rows, with a member for each column. */
  all(values: Values): Row[];
}

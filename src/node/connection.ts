/**
 * A connection of the server on Node and Deno: the requests on it that have no response yet, and its deadline. It replaces the time limits
 * of `node:http`, which do not cover a connection that sends empty lines between requests, nor on Deno a body that nobody reads.
 *
 * Requests on one connection run one after the other, as those that change something must (RFC 9112 §9.3.2). A client that does not wait
 * for its responses therefore takes no more turns than any other client, and what it has sent does not run once it has disconnected.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A request and its response. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly connection: Connection;
}

/**
 * Node parses a piece of a connection to its end, even if reading is paused, so requests beyond this limit would still take memory.
 *
 * @limit Requests | Requests on a connection without a response, on Node and Deno | The connection is closed.
 */
export const unansweredMax = 64;

export class Connection {
  readonly #socket: Socket;
  readonly #limitMs: number;
  readonly #serve: (exchange: Exchange) => void;
  /** Those without a response. The first one is being served. */
  readonly #exchanges: Exchange[] = [];
  /** The last request whose header section has arrived. */
  #latest: IncomingMessage | undefined;
  #closing: AbortController | undefined;
  #deadlineMs: number;
  /** Whether the app has set the deadline of the current request. */
  #isLimited = false;
  /** The response to what follows the last request and is malformed. */
  #refusal: string | undefined;
  /** The bytes that the connection had received when it began to wait for a request, until it receives more. */
  #bytesBefore: number | undefined = 0;

  constructor(socket: Socket, limitMs: number, serve: (exchange: Exchange) => void) {
    this.#socket = socket;
    this.#limitMs = limitMs;
    this.#serve = serve;
    this.#deadlineMs = performance.now() + limitMs;
    socket.on('close', () => {
      this.#exchanges.length = 0;
      this.#closing?.abort();
    });
  }

  /** Aborted when the connection is closed. */
  get signal(): AbortSignal {
    this.#closing ??= new AbortController();
    if (this.#socket.destroyed) this.#closing.abort();
    return this.#closing.signal;
  }

  /** Serves a request whose header section has arrived, after those before it. */
  add(incoming: IncomingMessage, outgoing: ServerResponse): void {
    // The parser continues to the end of its piece after the connection was closed.
    if (!this.#socket.writable) return;
    if (this.#exchanges.length === unansweredMax) return void this.#socket.destroy();
    this.#latest = incoming;
    this.#exchanges.push({ incoming, outgoing, connection: this });
    if (this.#exchanges.length > 1) return;
    if (this.#bytesBefore !== undefined) this.moveDeadline();
    this.#serveFirst();
  }

  /** Responds to malformed bytes after the requests before them, and closes the connection. */
  refuse(response: string): void {
    if (this.#refusal !== undefined) return;
    // Deno gives the parser to another connection, which must not read what follows here.
    this.#socket.removeAllListeners('data').resume();
    const isInBody = this.#latest?.complete === false;
    const [first] = this.#exchanges;
    this.#refusal = response;
    const isAnswered = this.#latest !== this.#exchanges.at(-1)?.incoming || first?.outgoing.headersSent;
    if (!this.#socket.writable || (isInBody && isAnswered)) return void this.#socket.destroy();
    if (isInBody) this.#exchanges.pop();
    if (this.#exchanges.length === 0) this.#sendRefusal(response);
  }

  /** Sets the time limit of a request from now. No effect once it has its response. */
  limitTime(incoming: IncomingMessage, limitMs: number): void {
    if (this.#exchanges[0]?.incoming !== incoming) return;
    this.#isLimited = true;
    this.#deadlineMs = performance.now() + limitMs;
  }

  moveDeadline(): void {
    if (!this.#isLimited) this.#deadlineMs = performance.now() + this.#limitMs;
  }

  /** Closes the connection after its deadline. Must be called about every second. */
  check(): void {
    const isWaiting = this.#exchanges.length === 0 && this.#latest?.complete !== false;
    if (isWaiting && this.#bytesBefore !== undefined && this.#socket.bytesRead > this.#bytesBefore) {
      // The first bytes of a request, or empty lines.
      this.#bytesBefore = undefined;
      this.moveDeadline();
    }
    if (performance.now() > this.#deadlineMs) this.#socket.destroy();
  }

  #serveFirst(): void {
    const [exchange] = this.#exchanges;
    if (!exchange) return;
    exchange.outgoing.on('close', () => this.#end(exchange));
    this.#serve(exchange);
  }

  #end(exchange: Exchange): void {
    // The response to a request with a malformed body is not its own.
    if (this.#exchanges[0] !== exchange) return;
    this.#exchanges.shift();
    this.#isLimited = false;
    this.moveDeadline();
    this.#bytesBefore = this.#socket.bytesRead;
    // After a response with `Connection: close`, other requests get none.
    if (!this.#socket.writable) return;
    if (this.#exchanges.length > 0) this.#serveFirst();
    else if (this.#refusal !== undefined) this.#sendRefusal(this.#refusal);
  }

  #sendRefusal(response: string): void {
    this.#socket.end(response);
    this.#isLimited = true;
    this.#deadlineMs = performance.now() + closingMs;
  }
}

/** How long a client that was refused may take to read that and to close the connection, which otherwise could be reset before. */
const closingMs = 1000;

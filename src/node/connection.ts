/**
 * A connection of the server on Node and Deno: the requests on it that have no response yet, and its time limit. That replaces the time limits
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
 * @limit Requests | Requests on a connection without a response, on Node and Deno | the connection is closed
 */
const unansweredMax = 64;

interface ConnectionOptions {
  readonly limitSeconds: number;
  readonly serve: (exchange: Exchange) => void;
  /** Is called when a request has its response, or its connection is closed. */
  readonly onEnd: () => void;
}

export class Connection {
  readonly #socket: Socket;
  readonly #options: ConnectionOptions;
  /** Those without a response. The first one is being served. */
  readonly #exchanges: Exchange[] = [];
  /** The last request whose header section has arrived. */
  #latest: IncomingMessage | undefined;
  /** The response to malformed bytes, after those to the requests before them. */
  #refusal: string | undefined;
  #closing: AbortController | undefined;
  #secondsLeft = 0;
  /** Whether the app has set the time limit of the current request. */
  #isLimited = false;
  /** The bytes that the connection had received when it began to wait for a request. Missing until that is checked. */
  #bytesBefore: number | undefined = 0;
  /** Whether the connection has received more since then: the first bytes of a request, or empty lines. */
  #hasBegun = false;

  constructor(socket: Socket, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.moveDeadline();
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
    if (!this.#hasBegun) this.moveDeadline();
    this.#hasBegun = false;
    this.#bytesBefore = undefined;
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

  /** Whether the request is without its complete response. */
  isPending(incoming: IncomingMessage): boolean {
    return this.#exchanges.some((exchange) => exchange.incoming === incoming);
  }

  /** Sets the time limit of a request from now, which pieces of its response do not move. No effect once it has its response. */
  limitTime(incoming: IncomingMessage, seconds: number): void {
    if (this.#exchanges[0]?.incoming !== incoming) return;
    this.#isLimited = true;
    this.#secondsLeft = seconds;
  }

  /** Begins the time limit again, when the client has sent a request or accepted a piece of a response. */
  moveDeadline(): void {
    if (!this.#isLimited) this.#secondsLeft = this.#options.limitSeconds;
  }

  /** Closes the connection after its time limit. Must be called every second. */
  check(): void {
    if (this.#exchanges.length === 0 && this.#latest?.complete !== false) this.#checkWaiting();
    if (this.#secondsLeft <= 0) this.#socket.destroy();
    this.#secondsLeft -= 1;
  }

  #checkWaiting(): void {
    const { bytesRead } = this.#socket;
    this.#bytesBefore ??= bytesRead;
    if (this.#hasBegun || bytesRead === this.#bytesBefore) return;
    this.#hasBegun = true;
    this.moveDeadline();
  }

  #serveFirst(): void {
    const [exchange] = this.#exchanges;
    if (!exchange) return;
    exchange.outgoing.on('close', () => this.#end(exchange));
    this.#options.serve(exchange);
  }

  #end(exchange: Exchange): void {
    this.#options.onEnd();
    // The response to a request with a malformed body is not its own.
    if (this.#exchanges[0] !== exchange) return;
    this.#exchanges.shift();
    this.#isLimited = false;
    this.moveDeadline();
    // After a response with `Connection: close`, other requests get none.
    if (!this.#socket.writable) return;
    if (this.#exchanges.length > 0) this.#serveFirst();
    else if (this.#refusal !== undefined) this.#sendRefusal(this.#refusal);
  }

  #sendRefusal(response: string): void {
    this.#socket.end(response);
    this.#isLimited = true;
    this.#secondsLeft = closingSeconds;
  }
}

/** How long a client that was refused may take to read that and to close the connection, which otherwise could be reset before. */
const closingSeconds = 1;

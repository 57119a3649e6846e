/**
 * A client of HTTP/1.1 that keeps its connections open. Unlike `fetch` it never retries a request automatically, so a lost one is detected.
 */
import { connect } from 'node:net';
import type { Send } from '../plant-load.ts';

export interface KeepAliveClient extends Disposable {
  readonly send: Send;
  /** How many connections were opened. */
  connections(): number;
  /** The number of requests that were repeated to another port. */
  repeated(): number;
  /** How many of these a server may have read. */
  cut(): number;
}

/**
 * Sends to these ports of 127.0.0.1, each new connection to the next one. A request fails when its connection is refused or is
 * closed before the response is complete. With several ports, a request without a byte of a response is repeated to the next port.
 */
export const createKeepAliveClient = (ports: readonly number[]): KeepAliveClient => {
  const idle: Connection[] = [];
  let [connections, repeated, cut] = [0, 0, 0];

  const open = (portIndex: number): Connection => {
    connections += 1;
    return createConnection(ports, portIndex % ports.length);
  };

  /** The connection that was idle the longest, so that all are used. */
  const take = (): Connection => {
    for (let kept = idle.shift(); kept; kept = idle.shift()) if (kept.isOpen()) return kept;
    return open(connections);
  };

  const ask = async (request: Buffer, connection = take(), attempts = 1): Promise<Answer> => {
    try {
      const answer = await connection.ask(request);
      idle.push(connection);
      return answer;
    } catch (error) {
      if (!(error instanceof Unanswered) || ports.length === 1 || attempts > ports.length) throw error;
      repeated += 1;
      if (error.mayBeRead) cut += 1;
      return ask(request, open(connection.portIndex + 1), attempts + 1);
    }
  };

  return {
    send: async (method, path, { headers, body }) => {
      const lines = Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
      const length = body === undefined ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`;
      const head = `${method} ${path} HTTP/1.1\r\n${lines.join('')}${length}\r\n`;
      const answer = await ask(Buffer.concat([Buffer.from(head), Buffer.from(body ?? '')]));
      return answer.response;
    },
    connections: () => connections,
    repeated: () => repeated,
    cut: () => cut,
    [Symbol.dispose]: () => {
      for (const connection of idle) connection.end();
    },
  };
};

/** The connection was refused, or closed before the first byte of a response. */
class Unanswered extends Error {
  override readonly name = 'Unanswered';
  readonly mayBeRead: boolean;

  constructor(reason: string, mayBeRead: boolean) {
    super(reason);
    this.mayBeRead = mayBeRead;
  }
}

interface Answer {
  readonly response: Response;
  /** Whether the server closes the connection after it. */
  readonly isLast: boolean;
}

type Connection = ReturnType<typeof createConnection>;

const answerMsMax = 20_000;
/** The number of requests after which the client closes a connection, so that it opens new ones regularly. */
const requestsMax = 100;

const createConnection = (ports: readonly number[], portIndex: number) => {
  const socket = connect(ports[portIndex] ?? 0, '127.0.0.1');
  let received = '';
  let isOpen = true;
  let requests = 0;
  let asked: PromiseWithResolvers<Answer> | undefined;

  const fail = (reason: string, code?: string): void => {
    isOpen = false;
    // A port that closes resets the connections whose first request nobody has read: TCP has no way to refuse them before.
    const isUnread = code === 'ECONNREFUSED' || (code === 'ECONNRESET' && requests === 0);
    asked?.reject(received === '' ? new Unanswered(reason, !isUnread) : new Error(`${reason} after: ${received}`));
    socket.destroy();
  };
  socket.setEncoding('latin1');
  socket.setTimeout(answerMsMax, () => {
    asked?.reject(new Error(`No response within ${answerMsMax} ms`));
    socket.destroy();
  });
  socket.on('error', ({ message, code }: NodeJS.ErrnoException) => fail(message, code));
  socket.on('end', () => fail('The connection was closed'));
  socket.on('close', () => fail('The connection was closed'));
  socket.on('data', (chunk) => {
    received += chunk;
    const answer = parseAnswer(received);
    if (!answer) return;
    received = '';
    requests += 1;
    isOpen = !answer.isLast && requests < requestsMax;
    if (!isOpen) socket.end();
    asked?.resolve(answer);
    asked = undefined;
  });

  return {
    portIndex,
    isOpen: () => isOpen,
    /** One request at a time. */
    ask: (request: Buffer): Promise<Answer> => {
      asked = Promise.withResolvers();
      socket.write(request);
      return asked.promise;
    },
    end: () => socket.destroy(),
  };
};

/** Absent until the response is complete. */
const parseAnswer = (text: string): Answer | undefined => {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const [statusLine = '', ...lines] = text.slice(0, headEnd).split('\r\n');
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  );
  const status = Number(statusLine.split(' ')[1]);
  const isEmpty = status === 204 || status === 304;
  const lengthBytes = isEmpty ? 0 : Number(headers.get('content-length') ?? Number.NaN);
  if (Number.isNaN(lengthBytes)) throw new Error(`A response has no length: ${text}`);
  const body = text.slice(headEnd + 4);
  if (body.length < lengthBytes) return undefined;
  const response = new Response(isEmpty ? null : Buffer.from(body, 'latin1'), { status, headers });
  return { response, isLast: headers.get('connection')?.toLowerCase() === 'close' };
};

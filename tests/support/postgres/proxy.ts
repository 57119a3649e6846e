/**
 * A TCP proxy between a client and a PostgreSQL server, which breaks connections on purpose. It reads the messages of the client
 * (https://www.postgresql.org/docs/current/protocol-message-formats.html), so it needs connections without TLS.
 */
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { endsGroup, farewell, isAnswered, isReady, readMessages, statementOf } from './postgres-messages.ts';

export interface TcpProxy extends AsyncDisposable {
  /** The URL of the server, through the proxy. */
  readonly url: string;
  /** Closes all connections, on both sides. */
  cut(): void;
  /** Closes all connections and the port, until `accept`. */
  refuse(): Promise<void>;
  accept(): Promise<void>;
  /** Keeps the open connections, and forwards nothing on them any more. New ones are not affected. */
  forget(): Forgotten;
  /** Delays everything by this time. */
  delay(delayMs: number): void;
  /** Breaks one connection at the next execution of a statement that matches. Resolves once it is broken. */
  breakAt(statement: RegExp, how: Break): Promise<Broken>;
  /** Counts the executions of statements that match, from now on. Returns a function that returns their number. */
  count(statement: RegExp): () => number;
}

/**
 * `before`: the statement is not forwarded, and both sides are closed. `after`: it is forwarded, and both sides are closed once
 * the server has responded. `hold`: it is held back, and only the client is closed. `running`: it is forwarded, and only the client
 * is closed immediately. `silent`: it is forwarded, and nothing is returned any more, but nothing is closed. `farewell`: it is
 * forwarded, and the client gets the response in one piece with the message of a server that stops.
 */
export type Break = 'before' | 'after' | 'hold' | 'running' | 'silent' | 'farewell';

export interface Broken {
  /** Forwards the statement that was held back. Resolves once the server has responded to it. */
  release(): Promise<void>;
}

export interface Forgotten {
  /** How many times a client has still expected a response on one of the connections. */
  sentInVain(): number;
  /** Resolves once a client has closed one of them. */
  readonly closed: Promise<void>;
}

interface Trap {
  readonly statement: RegExp;
  readonly how: Break;
  readonly spring: (broken: Broken) => void;
}

interface Pair {
  close(): void;
  forget(observer: ForgottenObserver): void;
}

interface ForgottenObserver {
  /** Called each time the client expects a response. */
  readonly onExpected: () => void;
  /** Called when the client closes the connection. */
  readonly onClosed: () => void;
}

/** Starts a proxy for the server of this URL. Use with `await using`. */
export const startProxy = async (target: string): Promise<TcpProxy> => {
  const to = Number(new URL(target).port);
  const pairs = new Set<Pair>();
  const traps = new Set<Trap>();
  let delayMs = 0;
  const counters = new Set<(statement: string) => void>();
  const takeTrap = (statement: string): Trap | undefined => {
    for (const count of counters) count(statement);
    const trap = [...traps].find((one) => one.statement.test(statement));
    if (trap) traps.delete(trap);
    return trap;
  };
  const state = { delayMs: () => delayMs, takeTrap };
  const server = createServer((client) => {
    const pair = join(client, connect(to, '127.0.0.1'), state, () => pairs.delete(pair));
    pairs.add(pair);
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
  await listen(0);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  const url = new URL(target);
  url.port = String(address.port);
  url.searchParams.set('sslmode', 'disable');

  const cut = (): void => {
    for (const pair of [...pairs]) pair.close();
  };
  const refuse = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      cut();
    });
  return {
    url: url.href,
    cut,
    refuse,
    accept: () => listen(address.port),
    forget: () => {
      let expected = 0;
      const { promise: closed, resolve: onClosed } = Promise.withResolvers<void>();
      const onExpected = (): void => {
        expected += 1;
      };
      for (const pair of pairs) pair.forget({ onExpected, onClosed });
      return { sentInVain: () => expected, closed };
    },
    delay: (ms) => {
      delayMs = ms;
    },
    breakAt: (statement, how) => new Promise((spring) => traps.add({ statement, how, spring })),
    count: (statement) => {
      let executions = 0;
      counters.add((text) => {
        if (statement.test(text)) executions += 1;
      });
      return () => executions;
    },
    [Symbol.asyncDispose]: refuse,
  };
};

interface State {
  readonly delayMs: () => number;
  readonly takeTrap: (statement: string) => Trap | undefined;
}

/** Forwards data between two sockets until one is closed. */
const join = (client: Socket, server: Socket, state: State, onClosed: () => void): Pair => {
  const close = (): void => {
    client.destroy();
    server.destroy();
    onClosed();
  };
  for (const socket of [client, server]) socket.setNoDelay(true).on('error', () => {});
  server.on('close', close);
  client.on('close', () => {
    // The server does not notice it.
    if (forgotten) return forgotten.onClosed();
    onClosed();
    if (!isAlone) close();
  });

  /** Whether the server continues without its client. */
  let isAlone = false;
  /** Only of a forgotten connection. */
  let forgotten: ForgottenObserver | undefined;
  /** The number of pending responses of the server to a Sync. */
  let owed = 0;
  let onAnswered = (): void => {};
  const answered = (): Promise<void> =>
    new Promise((resolve) => {
      onAnswered = resolve;
      if (owed === 0 || server.destroyed) resolve();
      server.once('close', () => resolve());
    });
  const leaveAlone = (): void => {
    isAlone = true;
    client.destroy();
  };

  const held: Buffer[] = [];
  /** Of the server, since a trap was sprung. */
  const answers: Buffer[] = [];
  let trap: Trap | undefined;
  const toServer = (message: Buffer): void => {
    if (isAnswered(message)) owed += 1;
    server.write(message);
  };
  const spring = async ({ how, spring }: Trap): Promise<void> => {
    if (how === 'after' || how === 'farewell') await answered();
    if (how === 'farewell')
      await new Promise<void>((sent) => client.end(Buffer.concat([...answers, farewell()]), sent));
    if (how === 'before' || how === 'after' || how === 'farewell') close();
    else if (how !== 'silent') leaveAlone();
    const release = async (): Promise<void> => {
      for (const message of held.splice(0)) toServer(message);
      await answered();
    };
    spring({ release });
  };
  const statements = new Map<string, string>();
  let group: Buffer[] = [];
  const fromClient = readMessages('client', (message) => {
    if (isAnswered(message)) forgotten?.onExpected();
    if (trap || forgotten) return;
    group.push(message);
    if (!endsGroup(message)) return;
    const texts = group.map((one) => statementOf(one, statements));
    for (const text of texts) if (text !== undefined) trap ??= state.takeTrap(text);
    if (trap?.how === 'before' || trap?.how === 'hold') held.push(...group);
    else for (const one of group) toServer(one);
    group = [];
    if (trap) void spring(trap);
  });
  const fromServer = readMessages('server', (message) => {
    if (trap) answers.push(message);
    else client.write(message);
    if (!isReady(message) || owed === 0) return;
    owed -= 1;
    if (owed === 0) onAnswered();
  });
  client.on('data', createGate(state.delayMs, fromClient));
  server.on('data', createGate(state.delayMs, fromServer));
  return {
    close,
    forget: (observer) => {
      forgotten = observer;
      server.removeAllListeners('data').pause();
    },
  };
};

/** Forwards data in order, with the delay if there is one. */
const createGate = (delayMs: () => number, pass: (data: Buffer) => void) => {
  let last = Promise.resolve();
  return (data: Buffer): void => {
    const due = delayMs() > 0 ? setTimeout(delayMs()) : undefined;
    const before = last;
    if (due) last = Promise.all([before, due]).then(() => pass(data));
    else last = before.then(() => pass(data));
  };
};

/** Several processes that serve one database. They are killed, paused, stopped and restarted, each at a known time. */
import { join } from 'node:path';
import { type RunningServer, startServer, withPreloaded } from '../../support/programs/process.ts';

/** A process that stopped sending. Times are in milliseconds of the wall clock. */
export interface Fault {
  readonly kind: 'kill' | 'pause' | 'stop';
  readonly sender: string;
  readonly atMs: number;
  /** When a paused process was continued. Absent until then, and for the other kinds. */
  continuedAtMs?: number;
}

/** Use with `await using`. */
export interface Fleet extends AsyncDisposable {
  /** All faults so far, oldest first. */
  readonly faults: readonly Fault[];
  /** Each process that was ever started, by the name that its messages have in `x-sender`. */
  readonly members: ReadonlyMap<string, RunningServer>;
  readonly places: readonly number[];
  /** The names of the processes that run now and are not paused. */
  running(): string[];
  /** The URL of a running process, of each in turn. */
  url(): string;
  start(place: number): Promise<void>;
  kill(place: number): Promise<void>;
  pause(place: number): void;
  continue(place: number): void;
  /** Stops it by SIGTERM. Resolves to its exit code. */
  stop(place: number): Promise<number>;
  /** Stops all of them together by SIGTERM, which does not count as a fault. Resolves to their exit codes. */
  end(): Promise<number[]>;
}

/** Starts this number of processes on the database, each with these settings. */
export const startFleet = async (
  database: string,
  size: number,
  env: Readonly<Record<string, string>>,
): Promise<Fleet> => {
  const members = new Map<string, RunningServer>();
  const faults: Fault[] = [];
  /** The name of the process at each place. */
  const names: string[] = [];
  const running = new Set<string>();
  let turn = 0;

  const start = async (place: number): Promise<void> => {
    const name = `${place}.${members.size}`;
    names[place] = name;
    members.set(name, await startServer(database, { program: naming, env: { ...env, SENDER_NAME: name } }));
    running.add(name);
  };
  const leave = (place: number, kind: Fault['kind'], signal: NodeJS.Signals): RunningServer => {
    const { sender, server } = find(place);
    running.delete(sender);
    faults.push({ kind, sender, atMs: Date.now() });
    server.kill(signal);
    return server;
  };
  const find = (place: number) => {
    const sender = names[place] ?? '';
    const server = members.get(sender);
    if (!server) throw new Error(`There is no process at ${place}.`);
    return { sender, server };
  };

  const places = [...new Array(size).keys()];
  for (const place of places) await start(place);
  return {
    places,
    faults,
    members,
    running: () => [...running],
    url: () => {
      turn += 1;
      const all = [...running];
      return members.get(all[turn % all.length] ?? '')?.url ?? '';
    },
    start,
    kill: async (place) => void (await leave(place, 'kill', 'SIGKILL').exited),
    pause: (place) => void leave(place, 'pause', 'SIGSTOP'),
    continue: (place) => {
      const { sender, server } = find(place);
      const fault = faults.findLast((one) => one.sender === sender);
      if (fault) fault.continuedAtMs = Date.now();
      server.kill('SIGCONT');
      running.add(sender);
    },
    stop: (place) => leave(place, 'stop', 'SIGTERM').exited,
    end: async () => {
      running.clear();
      const all = places.map((place) => find(place).server);
      for (const server of all) server.kill('SIGTERM');
      return Promise.all(all.map(({ exited }) => exited));
    },
    [Symbol.asyncDispose]: async () => {
      for (const server of members.values()) await server[Symbol.asyncDispose]();
    },
  };
};

const naming = withPreloaded(join(import.meta.dir, 'name-sender.ts'));

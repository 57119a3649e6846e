/**
 * Programs of this folder, and an EventSource in Chromium, follow the live log of one server at once. It is killed and started again
 * three times: before their first event, after a comment, and while events are written.
 */
import { join } from 'node:path';
import { createDatabase } from '../../tests/faults/support/database.ts';
import { temporaryFolder } from '../../tests/support/folder.ts';
import { freePort } from '../../tests/support/network/port.ts';
import { startServer } from '../../tests/support/programs/process.ts';
import { readLog } from '../../tests/support/streams/log-reader.ts';
import { openRawStream } from '../../tests/support/streams/raw-stream.ts';
import { untilOr } from '../../tests/support/until.ts';
import { launch } from '../browser.ts';
import { startProxy } from '../proxy.ts';

/** The id and the data of an event, as a client reports them. */
export type Reported = readonly [id: string, data: string];

export interface Program {
  /** The folder in this one. */
  readonly folder: string;
  /** The commands, by the names of the clients. */
  readonly commands: Readonly<Record<string, readonly string[]>>;
}

export const cwdOf = ({ folder }: Pick<Program, 'folder'>): string => join(import.meta.dir, folder);

interface Outcome {
  /** What each client has reported, by its name. */
  readonly reported: ReadonlyMap<string, readonly Reported[]>;
  /** The events of the log after the start of the clients. */
  readonly log: readonly Reported[];
}

/** The maximum time for each step: some clients wait twice as long before each reconnection. One that fails does not stop the others. */
const waitMsMax = 60_000;

/** Plays the scenario. `inChromium` is the name of the client there; it is left out without Chromium. */
export const play = async (programs: readonly Program[], inChromium: string | undefined): Promise<Outcome> => {
  await using open = new AsyncDisposableStack();
  const database = open.use(temporaryFolder()).file('plants.sqlite');
  const headers = await createDatabase(database);
  const { authorization = '' } = headers;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const startOne = async () => open.use(await startServer(database, { args: ['--port', `${port}`] }));
  let server = await startOne();
  const restart = async (): Promise<void> => {
    server.kill('SIGKILL');
    await server.exited;
    server = await startOne();
  };
  let created = 0;
  // A creation can be repeated.
  const create = async (): Promise<void> => {
    const init = { method: 'POST', headers, body: `{"id":${created},"name":"n"}` };
    while ((await fetch(`${url}/plants`, init).catch(() => undefined))?.status !== 200) await Bun.sleep(10);
    created += 1;
  };

  await create();
  const head = await fetch(`${url}/events`, { method: 'HEAD', headers: { ...headers, accept: 'text/event-stream' } });
  const path = `/events?after=${head.headers.get('last-event-id')}`;
  const reported = new Map<string, Reported[]>();
  const reporterOf = (name: string) => {
    const events: Reported[] = [];
    reported.set(name, events);
    return (...event: Reported): void => void events.push(event);
  };
  const env = { EVENTS_URL: url + path, EVENTS_TOKEN: authorization.replace('Bearer ', '') };
  for (const { folder, commands } of programs)
    for (const [name, command] of Object.entries(commands))
      open.use(startProgram(command, cwdOf({ folder }), env, reporterOf(name)));
  if (inChromium !== undefined) {
    const proxy = open.use(await startProxy({ port, authorization }));
    open.use(await startInChromium(proxy.url, path, reporterOf(inChromium)));
  }
  const areOpen = async (): Promise<boolean> =>
    (await (await fetch(`${url}/metrics`, { headers })).text()).includes(`\nplant_store_streams ${reported.size}\n`);
  const haveAll = (count: number) => (): boolean =>
    [...reported.values()].every((events) => events.filter(isEvent).length >= count);
  await untilOr(areOpen, waitMsMax);

  await restart();
  for (let count = 0; count < 3; count += 1) await create();
  await untilOr(haveAll(3), waitMsMax);

  let comments = 0;
  const onBody = (bytes: Buffer): void => {
    if (`${bytes}` === ':\n') comments += 1;
  };
  await openRawStream({ port, headers, onBody });
  // The first one is the beginning of the stream. All streams get the second one at the same time.
  await untilOr(() => comments === 2, waitMsMax);
  await restart();
  await create();
  await untilOr(haveAll(4), waitMsMax);

  let isRestarted = false;
  const writing = (async () => {
    for (; !isRestarted; await Bun.sleep(5)) await create();
  })();
  await untilOr(haveAll(5), waitMsMax);
  await restart();
  isRestarted = true;
  await writing;
  const [, ...log] = await readLog({ url, headers });
  await untilOr(haveAll(log.length), waitMsMax);
  return { reported, log: log.map((event) => [event.eventId, JSON.stringify(event)]) };
};

export const isEvent = ([, data]: Reported): boolean => data !== '';

type Report = (...event: Reported) => void;

/** Starts a program, and reports each line that it prints. */
const startProgram = (command: readonly string[], cwd: string, env: Record<string, string>, report: Report) => {
  const child = Bun.spawn([...command], { cwd, env: { ...process.env, ...env }, stdout: 'pipe', stderr: 'ignore' });
  const read = async (): Promise<void> => {
    let rest = '';
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const event: Reported = JSON.parse(line);
        report(...event);
      }
    }
  };
  void read();
  return { [Symbol.dispose]: () => child.kill() };
};

/** Opens an EventSource in a page of this origin. */
const startInChromium = async (origin: string, path: string, report: Report) => {
  const browser = await launch();
  const page = await browser.newPage();
  await page.exposeFunction('report', report);
  await page.goto(`${origin}/healthz`);
  await page.evaluate(`{
    const source = new EventSource('${path}');
    for (const type of ['plant.created', 'message'])
      source.addEventListener(type, ({ lastEventId, data }) => report(lastEventId, data));
  }`);
  return { [Symbol.asyncDispose]: () => browser.close() };
};

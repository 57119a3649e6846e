import type { StartBalancer } from '../../support/network/balancer.ts';
import { freePort } from '../../support/network/port.ts';
import { startServer } from '../../support/programs/process.ts';
import { followLive } from '../../support/streams/live-reader.ts';
import { readLog } from '../../support/streams/log-reader.ts';
import { comesTrue } from '../support/comes-true.ts';
import { createDatabase } from '../support/database.ts';
import type { Verdict } from '../support/verdict.ts';

interface IdleOptions {
  readonly balancers: Readonly<Record<string, StartBalancer>>;
  /** The path of a database that does not exist yet. */
  readonly database: string;
  readonly expect: Verdict['expect'];
  readonly expectWithin: Verdict['expectWithin'];
}

/**
 * Opens streams without events, one directly from the server and one through each balancer. `end` waits until they are idle
 * for longer than the response timeout of the balancers (20 seconds), and writes an event: it must arrive on the same stream.
 */
export const watchIdleStreams = async ({ balancers, database, expect, expectWithin }: IdleOptions) => {
  const open = new AsyncDisposableStack();
  const headers = await createDatabase(database);
  const server = open.use(await startServer(database));
  const create = (id: number): Promise<Response> =>
    fetch(`${server.url}/plants`, { method: 'POST', headers, body: `{"id":${id},"name":"n"}` });
  await create(1);
  const [{ eventId: after } = { eventId: '' }] = await readLog({ url: server.url, headers });

  const ports: [string, number][] = [['no balancer', server.port]];
  // The files of the balancers name three processes. No process listens at two of the ports.
  const processes = [server.port, await freePort(), await freePort()];
  for (const [name, start] of Object.entries(balancers)) ports.push([name, open.use(await start(processes)).port]);
  const readers = ports.map(([name, port]) => ({
    name,
    ...followLive({ port: () => port, headers, after }),
  }));
  await create(2);
  for (const { name, events } of readers)
    expect(await comesTrue(() => events.length === 1), `${name}: an event did not arrive`);
  const idleSinceMs = performance.now();

  return {
    /** Resolves to a row for each reader. */
    end: async () => {
      await Bun.sleep(Math.max(0, idleSinceMs + idleMsMin - performance.now()));
      const idleMs = performance.now() - idleSinceMs;
      const writtenAtMs = performance.now();
      await create(3);
      const rows = await Promise.all(
        readers.map(async ({ name, events, faults, streams, stop }) => {
          expect(await comesTrue(() => events.length === 2), `${name}: no event after ${idleMs} ms`);
          const arrivalMs = performance.now() - writtenAtMs;
          expectWithin(arrivalMsMax, `${name}: an event after ${Math.round(idleMs / 1000)} s`, { fromMs: writtenAtMs });
          expect(streams() === 1, `${name}: an idle stream was closed`);
          for (const fault of faults) expect(false, `${name}: ${fault}`);
          stop();
          return { reader: name, 'idle, s': Math.round(idleMs / 1000), 'arrival, ms': Math.round(arrivalMs) };
        }),
      );
      await open.disposeAsync();
      return rows;
    },
  };
};

const idleMsMin = 25_000;
const arrivalMsMax = 5000;

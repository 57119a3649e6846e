/** A server that has no free descriptors. Each runtime accepts connections in its own way: `bun run faults --group runtimes` runs it on each. */
import { expect } from 'bun:test';
import { connect, type Socket } from 'node:net';
import { cpuSeconds } from '../faults/support/usage.ts';
import { temporaryFolder } from '../support/folder.ts';
import { linuxTest } from '../support/programs/linux.ts';
import { startServer, underTest } from '../support/programs/process.ts';
import { until } from '../support/until.ts';

/** Resolves to the response to a request over this connection. */
const request = (socket: Socket): Promise<string> => {
  const answer = new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())));
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  return answer;
};

const isServed = async (url: string): Promise<boolean> => {
  const signal = AbortSignal.timeout(1000);
  return fetch(url, { signal, keepalive: false }).then(
    ({ ok }) => ok,
    () => false,
  );
};

linuxTest(
  'without free descriptors a server logs a warning, uses little CPU time, and serves open connections',
  async () => {
    using folder = temporaryFolder();
    const program = ['sh', '-c', 'ulimit -n 64; exec "$@"', 'sh', ...underTest];
    await using server = await startServer(folder.file('p.sqlite'), { program });
    const open = connect(server.port, '127.0.0.1');
    expect(await request(open)).toStartWith('HTTP/1.1 200');
    const others = Array.from({ length: 100 }, () => connect(server.port, '127.0.0.1').on('error', () => {}));
    await server.logged('no free descriptors');

    const [startedAtMs, before] = [performance.now(), cpuSeconds(server.pid)];
    expect(await request(open)).toStartWith('HTTP/1.1 200');
    await Bun.sleep(1000);
    const share = (cpuSeconds(server.pid) - before) / ((performance.now() - startedAtMs) / 1000);
    expect(share).toBeLessThan(0.2);
    for (const socket of [open, ...others]) socket.destroy();
    await until(() => isServed(`${server.url}/healthz`));
  },
);

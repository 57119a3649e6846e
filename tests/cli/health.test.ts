import { describe, expect, test } from 'bun:test';
import { temporaryFolder } from '../support/folder.ts';
import { freePort } from '../support/network/port.ts';
import { runCommand } from '../support/programs/command.ts';
import { startServer } from '../support/programs/process.ts';
import { stopClock } from '../support/stopped-clock.ts';

const healthOf = (port: number, env: Readonly<Record<string, string>> = {}) =>
  runCommand(['health'], { env: { PORT: `${port}`, ...env } });

describe('the command health', () => {
  test('health succeeds when the service answers on any listen address, and does not use a proxy', async () => {
    const noProxyThere = `http://127.0.0.1:${await freePort()}`;
    for (const host of ['0.0.0.0', '::']) {
      using folder = temporaryFolder();
      await using server = await startServer(folder.file('p.sqlite'), { args: ['--host', host] });
      const outcome = await healthOf(server.port, { HOST: host, http_proxy: noProxyThere });
      expect(outcome).toEqual({ exitCode: 0, stdout: 'ok\n', stderr: '' });
    }
  });

  test('health fails when no program listens on the port', async () => {
    const port = await freePort();
    expect(await healthOf(port)).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `plant-store: No response from http://127.0.0.1:${port}/healthz.\n`,
    });
  });

  test('health fails after two seconds when the service does not answer', async () => {
    const asked = Promise.withResolvers<void>();
    using silent = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => asked.resolve() } });
    using clock = stopClock();
    const startedAtMs = performance.now();
    const outcome = healthOf(silent.port);
    await asked.promise;
    expect((await clock.passUntil(outcome)).exitCode).toBe(1);
    expect(performance.now() - startedAtMs).toBeWithin(2000, 2500);
  });

  test('health fails when another program answers on the port', async () => {
    await using other = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response(null, { status: 404 }) });
    const { exitCode, stderr } = await healthOf(Number(other.port));
    expect(exitCode).toBe(1);
    expect(stderr).toContain('/healthz responded with status 404.');
  });
});

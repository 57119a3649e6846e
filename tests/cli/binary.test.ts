import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '../../package.json';
import { monstera } from '../../src/plants/sample.ts';
import { demoToken } from '../../src/tokens/sample.ts';
import { expectPages } from '../support/app/served-pages.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runProgram, startDemo, startListener, startServer } from '../support/programs/process.ts';
import { behaviourEngines } from '../support/store/engines.ts';
import { createCollector } from '../support/telemetry/collector.ts';

describe('the binary, outside the project', () => {
  test('the binary sends a webhook that its own receiver verifies', async () => {
    using folder = temporaryFolder();
    const options = { cwd: folder.path, env: { WEBHOOK_ALLOW_PRIVATE: 'true' } };
    const token = (await runProgram(['token', 'create', '--name', 'test'], options)).stdout.trim();
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    await using server = await startServer(join('data', 'plants.sqlite'), options);
    await using listener = await startListener([], options);
    const created = await fetch(`${server.url}/webhooks`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ url: listener.url.replace('127.0.0.1', 'localhost') }),
    });
    const { secret } = JSON.parse(await created.text());
    await using verifier = await startListener(['--secret', secret], options);
    const add = ['webhook', 'add', verifier.url];
    expect((await runProgram(add, options)).exitCode).toBe(0);
    await fetch(`${server.url}/plants`, { method: 'POST', headers, body: '{"id":1,"name":"n"}' });
    expect((await listener.line(0)).slice(1, 2)).toEqual(['not verified']);
    expect((await verifier.line(0)).slice(1, 2)).toEqual(['REFUSED: wrong signature']);
  });

  test('the binary exports its traces', async () => {
    using folder = temporaryFolder();
    using collector = createCollector();
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    await using server = await startServer(folder.file('p.sqlite'), { cwd: folder.path, env });
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    server.kill();
    expect(await server.exited).toBe(0);
    expect(collector.span('GET /healthz').resource).toMatchObject({ 'service.version': version });
  });

  test.each(behaviourEngines)(
    'the binary creates a plant on $name, and reads it back after a restart',
    async (engine) => {
      using folder = temporaryFolder();
      const cwd = folder.path;
      await using given = await engine.createDatabase();
      const database = given.url;
      const create = ['token', 'create', '--name', 'test', '--database', database];
      const token = (await runProgram(create, { cwd })).stdout.trim();
      const authorization = `Bearer ${token}`;
      {
        await using server = await startServer(database, { cwd });
        const response = await fetch(`${server.url}/plants`, {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json' },
          body: '{"id":-9223372036854775808,"name":"n"}',
        });
        expect(await response.text()).toBe('{"name":"n"}');
      }
      await using server = await startServer(database, { cwd });
      const found = await fetch(`${server.url}/plants/-9223372036854775808`, { headers: { authorization } });
      expect(await found.text()).toStartWith('{"id":-9223372036854775808,"name":"n",');
    },
  );

  test('the binary checks requests as the source does, and serves the metrics, the document and the page', async () => {
    using folder = temporaryFolder();
    await using server = await startServer(folder.file('p.sqlite'), { cwd: folder.path });
    const token = (
      await runProgram(['token', 'create', '--name', 'a', '--database', folder.file('p.sqlite')])
    ).stdout.trim();
    const refused = await fetch(`${server.url}/plants`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{"id":9223372036854775808,"name":"n"}',
    });
    expect(await refused.text()).toStartWith('{"error":40001,"message":"/id ');
    expect((await fetch(`${server.url}/openapi.json`)).status).toBe(200);
    expect((await fetch(`${server.url}/openapi-3.0.json`)).status).toBe(200);
    expect((await fetch(`${server.url}/openapi-3.2.json`)).status).toBe(200);
    const metrics = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    expect(await metrics.text()).toContain(
      `plant_store_build_info{version="${version}",runtime="bun",runtime_version="${Bun.version}",engine="sqlite"} 1\n`,
    );
    await expectPages(server.url);
  });

  test('the binary serves the demo and resets it, and leaves nothing in its folder', async () => {
    using folder = temporaryFolder();
    await using server = await startDemo({ cwd: folder.path });
    const headers = { authorization: `Bearer ${demoToken}` };
    const found = await fetch(`${server.url}/plants/${monstera.id}`, { headers });
    expect(await found.text()).toContain(`"name":"${monstera.name}"`);
    expect((await fetch(`${server.url}/__demo/reset`, { method: 'POST', headers })).status).toBe(204);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  test('the binary runs in production mode, and reads no .env or bunfig.toml of its folder', async () => {
    using folder = temporaryFolder();
    await Bun.write(folder.file('.env'), 'NODE_ENV=development\nPORT=nonsense\nLOG_LEVEL=nonsense\n');
    await Bun.write(folder.file('bunfig.toml'), 'preload = ["./no-such-file.ts"]\n');
    await using server = await startServer(folder.file('p.sqlite'), {
      cwd: folder.path,
      env: { NODE_ENV: 'development' },
    });
    // In development the first request would be shown before any is answered.
    await fetch(`${server.url}/healthz`);
    server.kill();
    expect(await server.exited).toBe(0);
    expect(server.stdout()).toBe('');
    expect(existsSync(folder.file('development.token'))).toBe(false);
  });

  test.each([{}, { NODE_ENV: 'development' }])('with %j, settings says that the build sets NODE_ENV', async (env) => {
    const { stdout } = await runProgram(['settings'], { cwd: '/', env });
    expect(stdout).toContain('NODE_ENV\tproduction\tbuild\n');
  });

  test('the binary prints its version', async () => {
    expect(await runProgram(['version'], { cwd: '/' })).toEqual({
      exitCode: 0,
      stdout: `${version}\n`,
      stderr: '',
    });
  });
});

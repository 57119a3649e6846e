/** The service behind Caddy, as `deploy/Caddyfile` configures it. */
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/folder.ts';
import { startCaddy } from '../support/network/caddy.ts';
import { createPlant, giveToken } from '../support/network/served.ts';
import { startServer } from '../support/programs/process.ts';
import { until } from '../support/until.ts';

const caddyfile = join(import.meta.dir, '../../deploy/Caddyfile');

// Tests without Caddy or curl are skipped. CI installs both.
const hasCaddy = Bun.which('caddy') !== null && Bun.which('curl') !== null;

describe.skipIf(!hasCaddy)('behind Caddy', () => {
  test('Caddy accepts the file in deploy/ without a warning, and would not format it differently', () => {
    using folder = temporaryFolder();
    const run = (...args: string[]) =>
      Bun.spawnSync(['caddy', ...args], { env: { ...process.env, HOME: folder.path }, stderr: 'pipe' });
    const { exitCode, stderr } = run('adapt', '--config', caddyfile, '--validate');
    expect({ exitCode, stderr: `${stderr}` }).toEqual({
      exitCode: 0,
      stderr: expect.not.stringMatching(/"level":"(?:warn|error)"/),
    });
    expect(`${run('fmt', caddyfile).stdout}`).toBe(readFileSync(caddyfile, 'utf8'));
  });

  test.each(['--http1.1', '--http2'])(
    'a client with %s writes over TLS, gets each event of a live stream at once, and ends the stream when it leaves',
    async (version) => {
      using folder = temporaryFolder();
      const token = await giveToken(folder.file('p.sqlite'));
      await using server = await startServer(folder.file('p.sqlite'));
      await using caddy = await startCaddy(server.port);
      const file = folder.file('answer');
      /** Runs curl, which writes what arrives to a file at once. */
      const curl = (path: string, ...args: string[]) => {
        const options = [version, '--cacert', caddy.authority, '-H', `Authorization: Bearer ${token}`, ...args];
        return Bun.spawn(['curl', '-sSN', ...options, caddy.url + path], { stdout: Bun.file(file) });
      };
      const answer = (): string => readFileSync(file, 'utf8');

      await curl('/plants', '-H', 'Content-Type: application/json', '-d', '{"id":1,"name":"first"}').exited;
      expect(answer()).toBe('{"name":"first"}');
      await curl('/events').exited;
      const [first] = JSON.parse(answer());
      const stream = curl(`/events?after=${first.eventId}`, '-H', 'Accept: text/event-stream');
      for (const id of [2, 3]) {
        await createPlant(server.url, token, `{"id":${id},"name":"later"}`);
        await until(() => answer().includes(`"id":${id},`));
      }
      expect(stream.exitCode).toBeNull();

      const streams = async (): Promise<string | undefined> => {
        const response = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
        return /^plant_store_streams (\d+)$/m.exec(await response.text())?.[1];
      };
      expect(await streams()).toBe('1');
      stream.kill();
      await until(async () => (await streams()) === '0');
    },
  );

  test('a client cannot choose the address by which its failed authentications are counted', async () => {
    using folder = temporaryFolder();
    const env = { RATE_LIMIT: '1/1h', TRUSTED_PROXIES: '127.0.0.1,::1' };
    await using server = await startServer(folder.file('p.sqlite'), { env });
    await using caddy = await startCaddy(server.port);
    const ca = readFileSync(caddy.authority, 'utf8');
    const attempt = async (address: string): Promise<number> =>
      (await fetch(`${caddy.url}/plants`, { headers: { 'x-forwarded-for': address }, tls: { ca } })).status;
    expect([await attempt('192.0.2.1'), await attempt('192.0.2.2')]).toEqual([401, 429]);
  });

  test('a client cannot choose the server in the document', async () => {
    using folder = temporaryFolder();
    await using server = await startServer(folder.file('p.sqlite'), { env: { TRUSTED_PROXIES: '127.0.0.1,::1' } });
    await using caddy = await startCaddy(server.port);
    const ca = readFileSync(caddy.authority, 'utf8');
    const init = { headers: { 'x-forwarded-prefix': '/other' }, tls: { ca } };
    const { servers } = JSON.parse(await (await fetch(`${caddy.url}/openapi.json`, init)).text());
    expect(servers[0].url).toBe('/');
  });
});

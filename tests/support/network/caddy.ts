import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../folder.ts';
import { until } from '../until.ts';
import { freePort } from './port.ts';

/** Use with `await using`. */
interface Caddy extends AsyncDisposable {
  readonly url: string;
  /** The file of the certificate authority that signed its certificate, in PEM. */
  readonly authority: string;
}

/** Starts Caddy with `deploy/Caddyfile` and a local certificate, in front of the server at this port of 127.0.0.1. */
export const startCaddy = async (serverPort: number): Promise<Caddy> => {
  const folder = temporaryFolder();
  const url = `https://localhost:${await freePort()}`;
  const file = folder.file('Caddyfile');
  const text = readFileSync(join(import.meta.dir, '../../../deploy/Caddyfile'), 'utf8')
    .replace(/^plants\.example \{$/m, `${url} {\n\ttls internal`)
    .replace('127.0.0.1:3000', `127.0.0.1:${serverPort}`);
  if (!text.includes(url) || !text.includes(`:${serverPort}`)) throw new Error('The Caddyfile has another form.');
  // Nothing outside of the folder changes, and no other port is used.
  writeFileSync(file, `{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n${text}`);
  const child = Bun.spawn(['caddy', 'run', '--config', file, '--adapter', 'caddyfile'], {
    env: { PATH: process.env['PATH'], HOME: folder.path, XDG_DATA_HOME: folder.path, XDG_CONFIG_HOME: folder.path },
    stdio: ['ignore', 'ignore', Bun.file(folder.file('log'))],
  });
  const authority = folder.file('caddy/pki/authorities/local/root.crt');
  const isReady = async (): Promise<boolean> => {
    if (!(await Bun.file(authority).exists())) return false;
    const ca = await Bun.file(authority).text();
    return fetch(`${url}/readyz`, { tls: { ca } }).then(
      ({ ok }) => ok,
      () => false,
    );
  };
  await until(async () => child.exitCode !== null || (await isReady()));
  if (child.exitCode !== null) throw new Error(`Caddy: ${readFileSync(folder.file('log'), 'utf8')}`);
  return {
    url,
    authority,
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await child.exited;
      folder[Symbol.dispose]();
    },
  };
};

/** A pgbouncer for the tests, in front of a PostgreSQL server, on a free port. It ends with the process that started it. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../network/port.ts';
import { until } from '../until.ts';

export interface Pgbouncer extends AsyncDisposable {
  /** The URL of the server, through the pooler, which it names. */
  readonly url: string;
}

/** Absent if it is not installed. */
export const pgbouncer: string | undefined =
  Bun.which('pgbouncer', { PATH: `${process.env['PATH']}:/usr/sbin` }) ?? undefined;

/** Starts a pooler for all databases of the server of this URL. Use with `await using`. */
export const startPgbouncer = async (
  target: string,
  poolMode: 'session' | 'transaction',
  settings: Readonly<Record<string, string>> = {},
): Promise<Pgbouncer> => {
  if (pgbouncer === undefined) throw new Error('There is no pgbouncer.');
  const server = new URL(target);
  const folder = mkdtempSync(join(tmpdir(), 'plant-store-pgbouncer-'));
  const port = await freePort();
  const [config, users, log] = [join(folder, 'config'), join(folder, 'users'), join(folder, 'log')];
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    pool_mode: poolMode,
    auth_type: 'trust',
    auth_file: users,
    // The clients of tests send each parameter of the URL.
    ignore_startup_parameters: 'pooler',
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  writeFileSync(
    config,
    `[databases]\n* = host=${server.hostname} port=${server.port || 5432}\n[pgbouncer]\n${lines.join('\n')}\n`,
  );
  writeFileSync(users, `"${server.username}" "${server.password}"\n`);
  writeFileSync(log, '');
  chmodSync(folder, 0o755);
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  // The system closes stdin with the process that has its other end. Interrupts of the terminal reach the shell too.
  const keep = 'trap "" HUP INT TERM; log="$1"; shift; "$@" 2>"$log" & cat >/dev/null; kill -KILL $!; wait';
  const keeper = Bun.spawn(['sh', '-c', keep, 'sh', log, pgbouncer, ...user, config], {
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'ignore',
  });
  keeper.unref();
  await until(() => {
    const written = readFileSync(log, 'utf8');
    if (/FATAL/.test(written)) throw new Error(written);
    return written.includes('process up');
  });
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  url.searchParams.set('pooler', poolMode);
  return {
    url: url.href,
    [Symbol.asyncDispose]: async () => {
      keeper.stdin.end();
      await keeper.exited;
      if (existsSync(folder)) rmSync(folder, { recursive: true });
    },
  };
};

/** The data of a PostgreSQL server: a new one, or a copy of that of a running server. */
import { appendFileSync, chmodSync, chownSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Host, thisHost } from '../network/host.ts';

/** Makes the data of a new server. */
export const createCluster = async (data: string, bin: string): Promise<void> => {
  makeFolder(data);
  const options = ['--auth=trust', '--username=plant', '--encoding=UTF8', '--locale=C', '--no-sync'];
  await runAsServer([`${bin}/initdb`, '--pgdata', data, ...options]);
  // Any client that can reach the address of the server.
  appendFileSync(join(data, 'pg_hba.conf'), 'host all all all trust\nhost replication all all trust\n');
};

/** The same from the data of a server that never ran, in a tenth of the time. */
export const copyTemplate = (template: string, data: string): void => {
  makeFolder(data);
  const { exitCode, stderr } = Bun.spawnSync(['cp', '-Rp', `${template}/.`, data]);
  if (exitCode !== 0) throw new Error(`cp failed: ${stderr}`);
};

/** Replaces the data by a copy of the server of this URL, which a server that starts on it will follow. */
export const copyCluster = async (url: string, data: string, bin: string, host: Host): Promise<void> => {
  rmSync(data, { recursive: true, force: true });
  makeFolder(data);
  const options = ['--write-recovery-conf', '--checkpoint=fast', '--no-sync'];
  await runAsServer([`${bin}/pg_basebackup`, '--pgdata', data, '--dbname', url, ...options], host);
};

/** Runs a program of PostgreSQL as the user of the server. */
export const runAsServer = async (command: string[], host = thisHost): Promise<void> => {
  const child = Bun.spawn({
    ...asServer(command, host),
    cwd: '/',
    env: { LC_ALL: 'C' },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [output, errors, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (exitCode !== 0) throw new Error(`${command[0]} failed: ${output}${errors}`);
};

/** What to spawn, so that a program of PostgreSQL runs on this host as the user of the server. */
export const asServer = (command: string[], { enter }: Host) => {
  const user = serverUser();
  if (enter.length === 0 || !user) return { ...user, cmd: [...enter, ...command] };
  // Only root may enter.
  return { cmd: [...enter, `--setuid=${user.uid}`, `--setgid=${user.gid}`, ...command] };
};

/** PostgreSQL refuses to run as root. It then runs as the user nobody. Otherwise it runs as the user of the tests. */
export const serverUser = (): { uid: number; gid: number } | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? [];
  if (uid === undefined) throw new Error('PostgreSQL cannot run as root, and there is no user nobody.');
  return { uid: Number(uid), gid: Number(gid) };
};

const makeFolder = (path: string): void => {
  mkdirSync(path, { mode: 0o700 });
  const user = serverUser();
  if (!user) return;
  chmodSync(dirname(path), 0o755);
  chownSync(path, user.uid, user.gid);
};

/** Load balancers in front of three servers, with the configurations of `deploy/`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../folder.ts';
import { until } from '../until.ts';
import { freePort } from './port.ts';

/** Use with `await using`. */
export interface Balancer extends AsyncDisposable {
  readonly port: number;
}

/** Starts a balancer in front of the servers at these three ports of 127.0.0.1, and waits until it reaches one. */
export type StartBalancer = (ports: readonly number[]) => Promise<Balancer>;

export const startHaproxy: StartBalancer = (ports) =>
  start('haproxy.cfg', ports, (file) => ['haproxy', '-q', '-db', '-f', file]);

export const startNginx: StartBalancer = (ports) =>
  start('nginx.conf', ports, (file) => [
    'nginx',
    '-q',
    '-e',
    `${file}.log`,
    '-c',
    file,
    '-g',
    `daemon off; pid ${file}.pid;`,
  ]);

const deploy = join(import.meta.dir, '../../../deploy');

const start = async (
  name: string,
  ports: readonly number[],
  commandOf: (file: string) => string[],
): Promise<Balancer> => {
  const folder = temporaryFolder();
  const port = await freePort();
  let config = readFileSync(join(deploy, name), 'utf8');
  for (const [inFile, here] of [[8080, port], ...ports.map((own, index) => [3001 + index, own])]) {
    if (!config.includes(`:${inFile}`)) throw new Error(`${name} does not name the port ${inFile}.`);
    config = config.replaceAll(`:${inFile}`, `:${here}`);
  }
  const file = folder.file(name);
  writeFileSync(file, config);
  const child = Bun.spawn(commandOf(file), { stdio: ['ignore', 'inherit', 'inherit'] });
  const isReady = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(async () => child.exitCode !== null || (await isReady()));
  if (child.exitCode !== null) throw new Error(`${name}: it ended with ${child.exitCode}.`);
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await child.exited;
      folder[Symbol.dispose]();
    },
  };
};

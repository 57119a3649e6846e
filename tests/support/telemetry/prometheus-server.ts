/** A real Prometheus, with the configuration and the alerts of `deploy/`. It is in Debian's package prometheus. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../folder.ts';
import { freePort } from '../network/port.ts';
import { until } from '../until.ts';

/** Use with `await using`. */
export interface Prometheus extends AsyncDisposable {
  /** The current result of the expression. Throws the error of Prometheus. */
  query(expression: string): Promise<Sample[]>;
  targets(): Promise<Target[]>;
  /** The pending and the firing alerts. */
  alerts(): Promise<Alert[]>;
}

export interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

export interface Target {
  readonly instance: string;
  readonly health: string;
  /** Empty when the last scrape succeeded. */
  readonly lastError: string;
}

export interface Alert {
  readonly state: string;
  readonly labels: Labels;
}

type Labels = Readonly<Record<string, string>>;

/** The interval of scrapes and evaluations; in `deploy/` it is 15 s. The waits of alerts are shorter by the same factor. */
const intervalMs = 500;
const shorterBy = 15_000 / intervalMs;

/** Starts one that scrapes these targets, `host:port` each, with this token, and waits until it responds. */
export const startPrometheus = async (targets: readonly string[], token: string): Promise<Prometheus> => {
  const folder = temporaryFolder();
  const write = (name: string, change: (text: string) => string): void => {
    const text = readFileSync(join(deploy, name), 'utf8');
    const changed = change(text);
    if (changed === text) throw new Error(`${name} has no longer what is adapted here.`);
    writeFileSync(folder.file(name), changed);
  };
  write('prometheus.yml', (text) =>
    text
      .replaceAll('_interval: 15s', `_interval: ${intervalMs}ms`)
      .replace(/targets:\n(?: +- .+\n)+/, `targets: [${targets.map((target) => `'${target}'`).join()}]\n`),
  );
  write('alerts.yml', (text) =>
    text.replace(/for: (\d+)m$/gm, (_, minutes) => `for: ${(Number(minutes) * 60_000) / shorterBy}ms`),
  );
  writeFileSync(folder.file('plant-store.token'), `${token}\n`, { mode: 0o600 });

  const address = `127.0.0.1:${await freePort()}`;
  const child = Bun.spawn(
    [
      'prometheus',
      `--config.file=${folder.file('prometheus.yml')}`,
      `--storage.tsdb.path=${folder.file('data')}`,
      `--web.listen-address=${address}`,
      '--log.level=error',
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  const isReady = (): Promise<boolean> =>
    fetch(`http://${address}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(async () => child.exitCode !== null || (await isReady()));
  if (child.exitCode !== null) throw new Error(`Prometheus ended with ${child.exitCode}.`);

  const ask = async (path: string) => {
    const answer = JSON.parse(await (await fetch(`http://${address}/api/v1/${path}`)).text());
    if (answer.status !== 'success') throw new Error(`${path}: ${answer.error}`);
    return answer.data;
  };
  return {
    query: async (expression) => {
      const { result }: { result: VectorElement[] } = await ask(`query?query=${encodeURIComponent(expression)}`);
      return result.map(({ metric, value: [, text] }) => ({ labels: metric, value: Number(text) }));
    },
    targets: async () => {
      const { activeTargets }: { activeTargets: ActiveTarget[] } = await ask('targets?state=active');
      return activeTargets.map(({ labels, health, lastError }) => ({
        instance: labels['instance'] ?? '',
        health,
        lastError,
      }));
    },
    alerts: async () => (await ask('alerts')).alerts,
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await child.exited;
      folder[Symbol.dispose]();
    },
  };
};

/** The value of an expression with one sample. */
export const readValue = async ({ query }: Prometheus, expression: string): Promise<number> => {
  const [sample, ...more] = await query(expression);
  if (sample === undefined || more.length > 0)
    throw new Error(`${expression} gives ${more.length + 1} samples, or none.`);
  return sample.value;
};

const deploy = join(import.meta.dir, '../../../deploy');

interface VectorElement {
  readonly metric: Labels;
  readonly value: readonly [time: number, value: string];
}

interface ActiveTarget {
  readonly labels: Labels;
  readonly health: string;
  readonly lastError: string;
}

/** Loads one server with wrk and returns its figures. */
import { join } from 'node:path';
import { cpuSeconds } from './cpu.ts';
import { seconds } from './options.ts';
import type { Running } from './servers.ts';

export interface Figures {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The CPU time of a request in the server, with all its threads, in microseconds. */
  readonly cpuUs: number;
  /** The CPU time of the server, in per cent of one core. */
  readonly cpu: number;
  /** The same for the load generator. */
  readonly loadCpu: number;
  readonly rssMib: number;
}

export interface Work {
  readonly load: string;
  readonly connections: number;
  /** The path of the page that `list` reads. Default: the first page. */
  readonly path?: string;
}

/** Ids are never sent twice. */
let nextId = 1_000_000_000;

/** Checks the responses that all servers must give. */
export const check = async ({ url, token }: Running): Promise<void> => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const expectPlant = async (response: Response): Promise<void> => {
    const text = await response.text();
    if (!response.ok || (!text.includes('"name":"Monstera"') && !text.includes('"name": "Monstera"')))
      throw new Error(`status ${response.status}: ${text}`);
  };
  for (let id = 1; id <= 1000; id += 1) {
    const body = `{"id":${id},"name":"Monstera","tag":"tropical"}`;
    await expectPlant(await fetch(`${url}/plants`, { method: 'POST', headers, body }));
  }
  await expectPlant(await fetch(`${url}/plants/1`, { headers }));
  await expectPlant(await fetch(`${url}/plants?limit=100`, { headers }));
};

export const measure = async (
  { url, token, pid }: Running,
  { load, connections, path = '' }: Work,
  durationSeconds = seconds,
): Promise<Figures> => {
  const script = join(import.meta.dir, `load/${load}.lua`);
  const args = [
    ...['-t1', `-c${connections}`, `-d${durationSeconds}s`, '--latency', '--timeout', '60s'],
    ...['-s', script, url, '--', `${nextId}`],
  ];
  nextId += 10_000_000;
  const before = await cpuSeconds(pid);
  const wrk = Bun.spawn(['wrk', ...args], { env: { ...process.env, TOKEN: token, PAGE: path }, stdout: 'pipe' });
  const [said] = await Promise.all([wrk.stdout.text(), wrk.exited]);
  const cpuTime = (await cpuSeconds(pid)) - before;
  const refused = /Non-2xx or 3xx responses: (\d+)|Socket errors: (.*)/.exec(said);
  if (refused) throw new Error(`requests of ${load} failed: ${refused[0]}`);
  return {
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(said)?.[1]),
    p50Ms: toMs(/^ +50% +(\S+) *$/m.exec(said)?.[1] ?? ''),
    p99Ms: toMs(/^ +99% +(\S+) *$/m.exec(said)?.[1] ?? ''),
    cpuUs: (1_000_000 * cpuTime) / Number(/(\d+) requests in /.exec(said)?.[1]),
    cpu: (100 * cpuTime) / durationSeconds,
    loadCpu: Number(wrk.resourceUsage()?.cpuTime.total) / (10_000 * durationSeconds),
    rssMib: await rssMib(pid),
  };
};

/** The resident memory of a process. */
export const rssMib = async (pid: number): Promise<number> =>
  Number(/VmRSS:\s+(\d+)/.exec(await Bun.file(`/proc/${pid}/status`).text())?.[1]) / 1024;

const toMs = (text: string): number => {
  const [, number = '', unit = ''] = /^([\d.]+)(us|ms|s|m)$/.exec(text) ?? [];
  return Number(number) * ({ us: 0.001, ms: 1, s: 1000, m: 60_000 }[unit] ?? Number.NaN);
};

/** The median. */
export const middle = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

export const median = <Figure extends string>(
  all: readonly Readonly<Record<Figure, number>>[],
  figure: Figure,
): number => middle(all.map((one) => one[figure]));

/** The measurements of each entry in all rounds. The others are compared with the first one. */
export type Measured = ReadonlyMap<string, readonly Figures[]>;

export const ratio = (measured: Measured, of: string, to: string): number =>
  median(measured.get(of) ?? [], 'perSecond') / median(measured.get(to) ?? [], 'perSecond');

export const printMeasured = (title: string, measured: Measured): void => {
  const [first = ''] = measured.keys();
  const rows = [...measured].map(([name, all]) => [
    name,
    ratio(measured, name, first).toFixed(3),
    Math.round(median(all, 'perSecond')).toLocaleString('en'),
    `${median(all, 'p50Ms').toFixed(2)} ms`,
    `${median(all, 'p99Ms').toFixed(2)} ms`,
    `${Math.round(median(all, 'cpu'))} %`,
    `${Math.round(median(all, 'rssMib'))} MiB`,
  ]);
  printTable([title, 'ratio to the first', 'per second', 'p50', 'p99', 'CPU', 'RSS'], rows);
};

export const printTable = (head: readonly string[], rows: readonly (readonly string[])[]): void =>
  console.log(`${toTable(head, rows)}\n`);

/** A table in Markdown. */
export const toTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

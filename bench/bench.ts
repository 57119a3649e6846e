/**
 * Loads each server in turn, with the same driver and the same requests, in several rounds of one run, and prints what it
 * measured beside the ceiling. Answers are checked before they are counted.
 */
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Contestant, ceiling, contestants, type Running, run } from './servers.ts';

interface Work {
  readonly name: string;
  readonly load: string;
  readonly connections: number;
}

const works: readonly Work[] = [
  ...[1, 16, 128, 512].map((connections) => ({ name: `create, ${connections}`, load: 'create', connections })),
  { name: 'get one, 128', load: 'get', connections: 128 },
  { name: 'list 100, 128', load: 'list', connections: 128 },
  { name: '90 % get, 10 % create, 128', load: 'mix', connections: 128 },
];

interface Figures {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of one core, in per cent. */
  readonly cpu: number;
  readonly rssMib: number;
}

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '4' }, rounds: { type: 'string', default: '3' } },
});
const [seconds, rounds] = [Number(values.seconds), Number(values.rounds)];
if (!(seconds >= 1 && rounds >= 1)) throw new Error('--seconds and --rounds must be numbers from 1 on.');

/** Ids are never sent twice. */
let nextId = 1_000_000;

/** What all must answer, whatever else they do. */
const check = async ({ url, token }: Running): Promise<void> => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const expectPlant = async (response: Response): Promise<void> => {
    const text = await response.text();
    if (!response.ok || (!text.includes('"name":"Monstera"') && !text.includes('"name": "Monstera"')))
      throw new Error(`answered ${response.status}: ${text}`);
  };
  for (let id = 1; id <= 1000; id += 1) {
    const body = `{"id":${id},"name":"Monstera","tag":"tropical"}`;
    await expectPlant(await fetch(`${url}/plants`, { method: 'POST', headers, body }));
  }
  await expectPlant(await fetch(`${url}/plants/1`, { headers }));
  await expectPlant(await fetch(`${url}/plants?limit=100`, { headers }));
};

const ticksPerSecond = 100;

const cpuTicks = async (pid: number): Promise<number> => {
  const fields = (await Bun.file(`/proc/${pid}/stat`).text()).split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
};

const measure = async ({ url, token, pid }: Running, { load, connections }: Work): Promise<Figures> => {
  const script = join(import.meta.dir, `load/${load}.lua`);
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', '-s', script, url, '--', `${nextId}`];
  nextId += 10_000_000;
  const before = await cpuTicks(pid);
  const wrk = Bun.spawn(['wrk', ...args], { env: { ...process.env, TOKEN: token }, stdout: 'pipe' });
  const said = await wrk.stdout.text();
  const ticks = (await cpuTicks(pid)) - before;
  const refused = /Non-2xx or 3xx responses: (\d+)|Socket errors: (.*)/.exec(said);
  if (refused) throw new Error(`${load} was not answered as it should be: ${refused[0]}`);
  const rss = /VmRSS:\s+(\d+)/.exec(await Bun.file(`/proc/${pid}/status`).text())?.[1];
  return {
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(said)?.[1]),
    p50Ms: toMs(/^ +50% +(\S+)$/m.exec(said)?.[1] ?? ''),
    p99Ms: toMs(/^ +99% +(\S+)$/m.exec(said)?.[1] ?? ''),
    cpu: (100 * ticks) / ticksPerSecond / seconds,
    rssMib: Number(rss) / 1024,
  };
};

const toMs = (text: string): number => {
  const [, number = '', unit = ''] = /^([\d.]+)(us|ms|s)$/.exec(text) ?? [];
  return Number(number) * ({ us: 0.001, ms: 1, s: 1000 }[unit] ?? Number.NaN);
};

const median = (all: readonly Figures[], figure: keyof Figures): number =>
  all.map((one) => one[figure]).sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN;

const results = new Map<Work, Map<Contestant, Figures[]>>(works.map((work) => [work, new Map()]));
for (let round = 1; round <= rounds; round += 1) {
  for (const contestant of contestants) {
    console.error(`round ${round} of ${rounds}: ${contestant.name}`);
    await using running = await run(contestant);
    await check(running);
    for (const work of works) {
      const ofWork = results.get(work);
      ofWork?.set(contestant, [...(ofWork.get(contestant) ?? []), await measure(running, work)]);
    }
  }
}

const [cpu] = cpus();
console.log(
  `${cpus().length} × ${cpu?.model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Bun ${Bun.version}; the load runs on the same machine.`,
);
console.log(`Medians of ${rounds} rounds of ${seconds} s.\n`);
for (const [work, ofWork] of results) {
  const top = median(ofWork.get(ceiling) ?? [], 'perSecond');
  console.log(
    `| ${work.name} | of the ceiling | a second | p50 | p99 | CPU | RSS |\n| --- | --- | --- | --- | --- | --- | --- |`,
  );
  for (const [{ name }, all] of ofWork) {
    const perSecond = median(all, 'perSecond');
    const cells = [
      name,
      (perSecond / top).toFixed(3),
      Math.round(perSecond).toLocaleString('en'),
      `${median(all, 'p50Ms').toFixed(2)} ms`,
      `${median(all, 'p99Ms').toFixed(2)} ms`,
      `${Math.round(median(all, 'cpu'))} %`,
      `${Math.round(median(all, 'rssMib'))} MiB`,
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
  console.log('');
}

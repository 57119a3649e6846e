/**
 * Loads each server in turn, with the same driver and the same requests, in several rounds of one run, and prints what it
 * measured beside the ceiling. Answers are checked before they are counted.
 *
 *     bun run bench [--seconds 4] [--rounds 3] [--rows 10000000] [--sync-delay 0]
 */
import { cpus, totalmem } from 'node:os';
import { ceiling, contestants, service } from './contestants.ts';
import { type Measured, median, ratio } from './measure.ts';
import { rounds, seconds, syncDelayMicroseconds } from './options.ts';
import { compareImport, compareLatency, compareTables, compareWebhooks, measureStart, type Ratio } from './own.ts';
import { comparePeers, createBy128, getBy128, type NamedWork } from './peers.ts';

const [cpu] = cpus();
console.log(
  `${cpus().length} × ${cpu?.model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Bun ${Bun.version}; the load runs on the same machine.`,
);
console.log(`Medians of ${rounds} rounds of ${seconds} s.`);
if (syncDelayMicroseconds > 0) console.log(`Each sync of each server takes ${syncDelayMicroseconds} µs longer.`);
console.log('');

const results = await comparePeers();
const measuredAt = (work: NamedWork): Measured => results.get(work) ?? new Map();
const [creates, gets] = [measuredAt(createBy128), measuredAt(getBy128)];
const ofService = creates.get(service.name) ?? [];
const [fastest = ''] = contestants
  .filter((one) => one !== service && one !== ceiling)
  .map(({ name }) => name)
  .toSorted((one, other) => ratio(creates, other, one) - 1);

const ratios: Ratio[] = [
  ['create, 128 connections, of the ceiling', ratio(creates, service.name, ceiling.name)],
  ['get one, 128 connections, of the ceiling', ratio(gets, service.name, ceiling.name)],
  ['create, 128 connections, times the fastest peer that syncs', ratio(creates, service.name, fastest)],
  ['p99 over p50 of a create, 128 connections', median(ofService, 'p99Ms') / median(ofService, 'p50Ms')],
  await compareLatency(),
  await compareTables(),
  await compareWebhooks(),
  ...(await compareImport()),
];
console.log('| | ratio |\n| --- | --- |');
for (const [what, value] of ratios) console.log(`| ${what} | ${value.toFixed(2)} |`);
console.log(
  `\nA start of the binary with a million plants, until the first answer: ${Math.round(await measureStart())} ms.`,
);

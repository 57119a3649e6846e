/**
 * Compares the service with itself and with bare SQLite: how long a single create, a large table, webhooks, an import and the start
 * of the binary take. Needs wrk and sqlite3.
 *
 *     bun run bench own [--seconds 2] [--rounds 5] [--rows 10000000] [--sync-delay 0]
 */
import { printTable } from '../support/measure.ts';
import { rounds, seconds, syncDelayMicroseconds } from '../support/options.ts';
import { compareImport, compareLatency, compareTables, compareWebhooks, measureStart, type Ratio } from './works.ts';

console.log(`Medians of ${rounds} rounds of ${seconds} s.`);
if (syncDelayMicroseconds > 0) console.log(`Each sync of each server takes ${syncDelayMicroseconds} µs longer.`);
console.log('');

const ratios: Ratio[] = [
  await compareLatency(),
  await compareTables(),
  await compareWebhooks(),
  ...(await compareImport()),
];
printTable(
  ['', 'ratio'],
  ratios.map(([what, value]) => [what, value.toFixed(2)]),
);
console.log(
  `A start of the binary with a million plants, until the first response: ${Math.round(await measureStart())} ms.`,
);

/**
 * Compares the service with its peers, and one process of it with two. Writes the results to results.json, prints them as tables, and
 * draws the pictures of docs/performance.md. Needs wrk. A peer is left out if Cargo or Go is needed to build it and is not installed.
 * With `--sync-delay` each sync of each server takes that many microseconds longer, as on a slower disk. Such a run compares
 * only the peers and is only printed.
 *
 *     bun run bench [--seconds 2] [--rounds 5] [--sync-delay 0]
 */

import { publish } from '../pictures/plot.ts';
import { rounds, seconds, syncDelayMicroseconds } from '../support/options.ts';
import { startServer } from '../support/postgres-server.ts';
import { contestants } from './contestants.ts';
import { describeMachine, readVersions } from './machine.ts';
import { comparePeers } from './peers.ts';
import { compareProcesses } from './process-turns.ts';
import { type Results, writeResults } from './results.ts';
import { toSections } from './tables.ts';

const available = contestants.filter((contestant) => contestant.isAvailable());
for (const { name } of contestants.filter((contestant) => !available.includes(contestant)))
  console.error(`left out, since its compiler is not installed: ${name}`);
for (const contestant of available) await contestant.build?.();

const startedAt = new Date();
const machine = describeMachine();
const options = { rounds, seconds };
const peers = await comparePeers(available, options);
await using postgres = await startServer();
const processes = syncDelayMicroseconds > 0 ? [] : await compareProcesses(postgres, options);
const results: Results = {
  startedAt: startedAt.toISOString(),
  durationSeconds: Math.round((Date.now() - startedAt.getTime()) / 1000),
  options,
  machine,
  versions: { ...readVersions(), PostgreSQL: postgres.version },
  ...peers,
  processes,
};
console.log([...toSections(results).values()].join('\n\n'));
if (syncDelayMicroseconds > 0) console.log(`\nEach sync took ${syncDelayMicroseconds} µs longer than on this disk.`);
else {
  await writeResults(results);
  await publish();
}

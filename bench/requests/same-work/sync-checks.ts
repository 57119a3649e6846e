/** Checks with strace(1) that the response to a create follows the sync of SQLite's log. */
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { readUntil } from '../../../tests/support/until.ts';
import type { Running } from '../../support/servers.ts';
import { type Client, expect, expectStatus } from './client.ts';
import type { CreatedPlant } from './create-checks.ts';

/** Creates plants one after the other, and returns them. Reports on stderr if strace cannot be used. */
export const checkSyncs = async (client: Client, { pid }: Running): Promise<CreatedPlant[]> => {
  using folder = temporaryFolder();
  const trace = folder.file('trace');
  const strace = await attach(pid, trace);
  for (const plant of plants) expectStatus('a plant is created', await client.create(plant), 200);
  if (strace === undefined) return plants;
  strace.kill('SIGINT');
  await strace.exited;
  const syncs = countSyncs(await Bun.file(trace).text());
  const found = `${syncs.length} responses after ${syncs.join(', ')} syncs`;
  expect('every create is synced before its response', syncs.length === plants.length && !syncs.includes(0), found);
  // A checkpoint syncs the log too.
  expect('plant and event are in one transaction', Math.min(...syncs) === 1, found);
  return plants;
};

/** Whether strace is installed and may attach to this process. */
export const canTrace = async (pid: number): Promise<boolean> => {
  const strace = await attach(pid, '/dev/null');
  strace?.kill('SIGINT');
  return strace !== undefined;
};

const plants = Array.from({ length: 5 }, (_, index) => ({ id: 900_000_010 + index, name: 'Monstera' }));

/** Resolves to undefined if strace is missing or may not attach. */
const attach = async (pid: number, file: string) => {
  const command = Bun.which('strace');
  const calls = 'trace=fsync,fdatasync,write,writev,sendto,sendmsg';
  try {
    if (command === null) throw new Error('strace is not installed');
    const strace = Bun.spawn([command, '-f', '-y', '-p', `${pid}`, '-e', calls, '-o', file], { stderr: 'pipe' });
    await readUntil(strace.stderr.getReader(), 'attached');
    return strace;
  } catch (error) {
    console.error(`Whether a create is synced was not checked: ${error}`);
    return undefined;
  }
};

/** The number of syncs of SQLite's log that ended between each response and the previous one. */
const countSyncs = (trace: string): number[] => {
  const counts: number[] = [];
  /** The threads that are in a sync of the log. */
  const syncing = new Set<string>();
  let syncs = 0;
  for (const line of trace.split('\n')) {
    const [thread = ''] = line.split(' ');
    if (/f(?:data)?sync\(\d+<[^>]*-wal> <unfinished/.test(line)) syncing.add(thread);
    else if (/f(?:data)?sync\(\d+<[^>]*-wal>\) += 0/.test(line)) syncs += 1;
    else if (/f(?:data)?sync resumed>\) += 0/.test(line) && syncing.delete(thread)) syncs += 1;
    else if (/"HTTP\/1\.1 200/.test(line)) {
      counts.push(syncs);
      syncs = 0;
    }
  }
  return counts;
};

import { readFileSync } from 'node:fs';
import { underStrace } from '../support/strace.ts';

/** The n-th call of one kind. */
export interface Step {
  readonly call: string;
  readonly n: number;
}

/** The calls by which the program changes files, or talks to PostgreSQL. */
const calls = [
  'connect',
  'openat',
  'pwrite64',
  'fsync',
  'ftruncate',
  'link',
  'rename',
  'unlink',
  'sendto',
  'recvfrom',
  'write',
  'writev',
];

/** The program, which writes its calls to a file. */
export const tracing = (file: string): readonly string[] => underStrace(['--output', file, '--trace', calls.join(',')]);

/** The steps in such a file, from the first one that names a file of SQLite or connects to PostgreSQL. */
export const readSteps = (file: string): Step[] => {
  const counts = new Map<string, number>();
  const steps: Step[] = [];
  let hasBegun = false;
  for (const line of readFileSync(file, 'latin1').split('\n')) {
    const call = /^(\w+)\(/.exec(line)?.[1];
    if (call === undefined) continue;
    const n = (counts.get(call) ?? 0) + 1;
    counts.set(call, n);
    hasBegun ||= call === 'connect' || line.includes('.sqlite');
    if (hasBegun) steps.push({ call, n });
  }
  return steps;
};

/** The program, which is killed within this call. */
export const killedAt = ({ call, n }: Step): readonly string[] =>
  underStrace(['--output', '/dev/null', '--trace', call, '--inject', `${call}:signal=SIGKILL:when=${n}`]);

/** The program, for which the disk is full from this write on. */
export const fullFrom = ({ n }: Step): readonly string[] =>
  underStrace(['--output', '/dev/null', '--trace', 'pwrite64', '--inject', `pwrite64:error=ENOSPC:when=${n}+`]);

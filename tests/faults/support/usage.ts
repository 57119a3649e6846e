/** What a running process holds, as Linux tells it. */
import { readdirSync, readFileSync } from 'node:fs';

export const memoryMebibytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

export const descriptors = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

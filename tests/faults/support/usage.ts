/** The resources of a running process, from Linux's /proc. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export const memoryMebibytes = (pid: number): number => mebibytesOf(pid, 'VmRSS');

/** The most that it has had. */
export const peakMemoryMebibytes = (pid: number): number => mebibytesOf(pid, 'VmHWM');

const mebibytesOf = (pid: number, name: string): number => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
};

export const descriptors = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

/** The descriptors that are sockets, and the others, at one time. */
export const kindsOfDescriptors = (pid: number): { readonly sockets: number; readonly others: number } => {
  const targets = readdirSync(`/proc/${pid}/fd`).flatMap((name) => targetOf(`/proc/${pid}/fd/${name}`) ?? []);
  const sockets = targets.filter((target) => target.startsWith('socket:')).length;
  return { sockets, others: targets.length - sockets };
};

/** Undefined if it is closed by now. */
const targetOf = (path: string): string | undefined => {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
};

/** The CPU time of all its threads so far, in seconds. */
export const cpuSeconds = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program comes second, in parentheses; the times of user and system are fields 14 and 15 (proc(5)).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
};

/** sysconf(_SC_CLK_TCK), which is the same on all machines that Bun runs on. */
const ticksPerSecond = 100;

/** The CPU time of processes, from Linux's /proc; proc_pid_stat(5). */

/** The CPU time of a process with all its threads, in seconds. */
export const cpuSeconds = async (pid: number): Promise<number> => {
  const { own } = await readTimes(pid);
  return own;
};

/** The CPU time of a process and of its children, including the children that have ended. */
export const cpuSecondsWithChildren = async (pid: number): Promise<number> => {
  const children = (await Bun.file(`/proc/${pid}/task/${pid}/children`).text()).match(/\d+/g) ?? [];
  const times = await Promise.all([pid, ...children.map(Number)].map(readTimesIfRunning));
  return times.reduce((sum, { own, ofEnded }) => sum + own + ofEnded, 0);
};

export const parentOf = async (pid: number): Promise<number> => Number((await readStat(pid))[1]);

const ticksPerSecond = 100;

/** `ofEnded` is the CPU time of the children that have ended. */
interface Times {
  readonly own: number;
  readonly ofEnded: number;
}

const readTimes = async (pid: number): Promise<Times> => {
  const [utime, stime, cutime, cstime] = (await readStat(pid)).slice(11, 15).map(Number);
  return { own: toSeconds(utime, stime), ofEnded: toSeconds(cutime, cstime) };
};

/** A child may have ended since the list was read. */
const readTimesIfRunning = async (pid: number): Promise<Times> => {
  try {
    return await readTimes(pid);
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'))
      return { own: 0, ofEnded: 0 };
    throw error;
  }
};

const toSeconds = (userTicks = Number.NaN, systemTicks = Number.NaN): number =>
  (userTicks + systemTicks) / ticksPerSecond;

/** The fields after the name: state, parent, … The name may have spaces. */
const readStat = async (pid: number): Promise<string[]> =>
  (await Bun.file(`/proc/${pid}/stat`).text()).split(') ').at(-1)?.split(' ') ?? [];

/** The processes whose working directory is in a folder: those of a server, and its orphans after a kill. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Kills all of them, as if their machine lost its power. They are stopped first, so that none starts another. */
export const killIn = async (folder: string): Promise<void> => {
  for (let all = processesIn(folder); all.length > 0; all = processesIn(folder)) {
    for (const name of ['SIGSTOP', 'SIGKILL'] as const) for (const pid of all) signal(pid, name);
    await Bun.sleep(5);
  }
};

/** Sends a signal to each of them. */
export const signalIn = (folder: string, name: NodeJS.Signals): void => {
  for (const pid of processesIn(folder)) signal(pid, name);
};

export const processesIn = (folder: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && `${workingDirectoryOf(name)}/`.startsWith(`${folder}/`))
    .map(Number);

/** The one of them that has no child among them, such as the server that npx has started. */
export const childlessIn = (folder: string): number => {
  const all = processesIn(folder);
  const parents = all.map((pid) => Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]));
  const childless = all.filter((pid) => !parents.includes(pid));
  if (childless[0] === undefined || childless.length > 1) throw new Error(`Without a child: ${childless}`);
  return childless[0];
};

const workingDirectoryOf = (pid: string): string => {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    // It has ended.
    return '';
  }
};

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
};

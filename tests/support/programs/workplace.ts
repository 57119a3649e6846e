import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { temporaryFolder } from '../folder.ts';
import { runCommand } from './command.ts';
import { type Outcome, runProgram, underTest } from './process.ts';

/** A folder with a database that need not exist yet, and the commands on it; `using work = createWorkplace()`. */
export const createWorkplace = () => {
  const folder = temporaryFolder();
  const database = folder.file('p.sqlite');
  const options = { cwd: folder.path };
  const run = (...args: string[]): Promise<Outcome> => runCommand([...args, '--database', database], options);
  const write = (name: string, content: string | Uint8Array): void => writeFileSync(folder.file(name), content);
  return {
    ...folder,
    database,
    run,
    /** Runs the program in a shell, as `"$@"`, so that its pid is the shell's. */
    runInShell: (script: string, ...args: string[]): Promise<Outcome> =>
      runProgram([script, 'sh', ...underTest, ...args], { ...options, program: ['sh', '-c'] }),
    write,
    read: (name: string) => readFileSync(folder.file(name), 'utf8'),
    /** Imports this number of plants, with ids from 0. */
    fill: async (rows: number): Promise<void> => {
      write('fill.ndjson', Array.from({ length: rows }, (_, id) => `{"id":${id},"name":"n"}`).join('\n'));
      const { exitCode, stderr } = await run('import', 'fill.ndjson');
      if (exitCode !== 0) throw new Error(stderr);
    },
    /** The plants in the store, one line of JSON each, without times. */
    plants: async (): Promise<string[]> =>
      (await run('export', '-')).stdout
        .replace(/,"createdAt":"[^"]*","updatedAt":"[^"]*"/g, '')
        .split('\n')
        .slice(0, -1),
    files: () => readdirSync(folder.path).sort(),
    drafts: () => readdirSync(folder.path).filter((name) => name.endsWith('.new')),
    modeOf: (name: string) => statSync(folder.file(name)).mode & 0o777,
  };
};

import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { temporaryFolder } from './folder.ts';
import { underTest } from './process.ts';
import { until } from './until.ts';

export type Shell = keyof typeof commands;

/** Ignores the settings of the user. */
const commands = {
  bash: ['bash', '--noprofile', '--norc'],
  zsh: ['zsh', '--no-rcs'],
} as const;

/** A folder with `plants.csv` and the program `plant-store` in `bin`, and the environment of a shell there. */
export const createShellHome = () => {
  const folder = temporaryFolder();
  const program = folder.file('bin/plant-store');
  mkdirSync(folder.file('bin'));
  writeFileSync(program, `#!/bin/sh\nexec ${underTest.map((word) => `'${word}'`).join(' ')} "$@"\n`);
  chmodSync(program, 0o755);
  writeFileSync(folder.file('plants.csv'), '');
  const env = { PATH: `${folder.file('bin')}:${process.env['PATH']}`, HOME: folder.path, TERM: 'dumb' };
  return { ...folder, env };
};

/** Types into a shell once its start-up line has run. Resolves to the command line after the keys, and the files of its folder. */
export const typeInto = async (shell: Shell, startUp: string, keys: string) => {
  using home = createShellHome();
  let shown = '';
  await using terminal = new Bun.Terminal({
    cols: 200,
    rows: 50,
    data: (_, bytes) => {
      shown += new TextDecoder().decode(bytes);
    },
  });
  const child = Bun.spawn([...commands[shell]], { cwd: home.path, env: home.env, terminal });
  terminal.write(`${startUp}; echo read''y\n`);
  await until(() => shown.includes('ready'));
  // Ctrl-A and Ctrl-E go to the ends of the line: the shell prints its words and does not run it.
  terminal.write(`${keys}\u0001printf '<%s>' \u0005 end\n`);
  await until(() => shown.includes('<end>'));
  terminal.write('exit\n');
  await child.exited;
  const [, line = ''] = /<(.*)><end>/.exec(shown) ?? [];
  return { words: line.split('><'), files: readdirSync(home.path) };
};

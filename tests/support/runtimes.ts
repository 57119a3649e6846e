import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fromSource } from './process.ts';

const root = join(import.meta.dir, '../..');

export const runtimeNames = ['bun', 'deno', 'node'] as const;
export type RuntimeName = (typeof runtimeNames)[number];

/** The executable: that of the pinned package, or where there is none for this platform, that of the machine. */
export const executableOf = (name: RuntimeName): string => {
  if (name === 'bun') return process.execPath;
  const platform = `${process.platform}-${process.arch}`;
  const file = { deno: `@deno/${platform}-glibc/deno`, node: `node-${platform}/bin/node` }[name];
  const path = join(root, 'node_modules', file);
  return existsSync(path) ? path : (Bun.which(name) ?? name);
};

/** The program from the source, as a person starts it with this runtime: the `program` of `RunOptions`. */
export const sourceOn = (name: RuntimeName): readonly string[] => {
  const [, main = ''] = fromSource;
  return [executableOf(name), ...(name === 'deno' ? ['run', '-A'] : []), main];
};

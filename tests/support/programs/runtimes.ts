import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../release/command.ts';

const everyRuntime = ['bun', 'deno', 'node'] as const;
export type RuntimeName = (typeof everyRuntime)[number];

/** Bun alone in a copy of the project without `src/node/`, which Deno and Node need. */
export const runtimeNames: readonly RuntimeName[] = existsSync(join(root, 'src/node')) ? everyRuntime : ['bun'];

/** The executable: that of the pinned package, or where there is none for this platform, that of the machine. */
export const executableOf = (name: RuntimeName): string => {
  if (name === 'bun') return process.execPath;
  const platform = `${process.platform}-${process.arch}`;
  const file = { deno: `@deno/${platform}-glibc/deno`, node: `node-${platform}/bin/node` }[name];
  const path = join(root, 'node_modules', file);
  return existsSync(path) ? path : (Bun.which(name) ?? name);
};

/** The command that runs a file on this runtime, with another file preloaded, if there is one. */
export const commandOn = (name: RuntimeName, file: string, preloaded?: string): readonly string[] => {
  const flags = name === 'deno' ? ['run', '-A', '-q'] : [];
  const option = name === 'node' ? '--import' : '--preload';
  return [executableOf(name), ...flags, ...(preloaded === undefined ? [] : [option, preloaded]), file];
};

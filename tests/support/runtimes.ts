import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../release/command.ts';

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

/** The program in a checkout, as a person starts it with this runtime: the `program` of `RunOptions`. */
export const sourceOn = (name: RuntimeName): readonly [string, ...string[]] => [
  executableOf(name),
  ...(name === 'deno' ? ['run', '-A'] : []),
  join(root, 'src/main.ts'),
];

/** The runtime of `TEST_RUNTIME`, which runs the source in the tests of processes. Absent without it. */
export const givenRuntime = runtimeNames.find((name) => name === process.env['TEST_RUNTIME']);

import { join } from 'node:path';
import { root } from '../../../release/command.ts';
import { buildPackage, buildProgram, builtProgram, packedProgram } from './built-program.ts';
import { commandOn, type RuntimeName, runtimeNames } from './runtimes.ts';

/** What can be tested: the binary, or the program on a runtime, from the source or from the npm package. */
export type ProgramName = 'binary' | `${RuntimeName} ${'source' | 'package'}`;

export const programNames: readonly ProgramName[] = [
  'binary',
  ...runtimeNames.flatMap((runtime) => [`${runtime} source`, `${runtime} package`] as const),
];

const source = join(root, 'src/main.ts');

/** The command of the program, which it builds first if it must. Only a runtime can preload a file: instead of the binary, Bun runs the source. */
export const commandOf = (name: ProgramName, preloaded?: string): readonly string[] => {
  if (name !== 'binary') {
    const [runtime, form] = partsOf(name);
    if (form === 'package') buildPackage();
    return commandOn(runtime, form === 'package' ? packedProgram : source, preloaded);
  }
  if (preloaded !== undefined) return commandOn('bun', source, preloaded);
  buildProgram();
  return [builtProgram];
};

/** Throws if there is no such program. */
export const toProgramName = (text: string): ProgramName => {
  const name = programNames.find((one) => one === text);
  if (!name) throw new Error(`The program must be one of: ${programNames.join(', ')}.`);
  return name;
};

const partsOf = (name: Exclude<ProgramName, 'binary'>) => name.split(' ') as [RuntimeName, 'source' | 'package'];

import { expect } from 'bun:test';
import { join } from 'node:path';
import { until } from '../until.ts';
import { fromSource, type RunningServer } from './process.ts';

const [bun = '', ...main] = fromSource;

/** The program, which then prints the modules that it has loaded. */
export const printingModules = [bun, '--preload', join(import.meta.dirname, 'print-modules.ts'), ...main];

/** Stops such a program, and returns the paths of its modules. */
export const stopForModules = async (server: RunningServer): Promise<string[]> => {
  server.kill();
  expect(await server.exited).toBe(0);
  await until(() => server.stdout().endsWith(']\n'));
  return JSON.parse(server.stdout());
};

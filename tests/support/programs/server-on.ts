import { startOn } from './program-on.ts';
import type { RuntimeName } from './runtimes.ts';

/** Starts tests/runtime/server-program.ts. Use with `await using`. */
export const startServer = async (runtime: RuntimeName, options: object = {}) => {
  const program = startOn(runtime, 'server-program.ts');
  program.send({ listen: { host: '127.0.0.1', port: 0, ...options } });
  const { url } = await program.result('url');
  return { ...program, url: `${url}`, port: Number(new URL(`${url}`).port) };
};

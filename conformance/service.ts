import { type RunOptions, runProgram, startServer } from '../tests/support/programs/process.ts';
import type { BehaviourEngine } from '../tests/support/store/engine.ts';
import { behaviourEngines, sqlite } from '../tests/support/store/engines.ts';

/** A server on a fresh database, and a token with every scope. */
export interface Service extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
}

/** The databases that the service is tested on. */
export const engines = behaviourEngines;

export const startService = async (
  { createDatabase }: BehaviourEngine = sqlite,
  options: Pick<RunOptions, 'env' | 'program'> = {},
): Promise<Service> => {
  const database = await createDatabase();
  const create = ['token', 'create', '--name', 'conformance', '--database', database.url];
  const token = (await runProgram(create)).stdout.trim();
  const server = await startServer(database.url, options);
  return {
    url: server.url,
    token,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
};

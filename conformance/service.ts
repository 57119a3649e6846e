import { temporaryFolder } from '../tests/support/folder.ts';
import { runProgram, startServer } from '../tests/support/process.ts';

/** A server on a fresh database, and a token with every scope. */
export interface Service extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
}

export const startService = async (): Promise<Service> => {
  const folder = temporaryFolder();
  const database = folder.file('plants.sqlite');
  const token = (await runProgram(['token', 'create', '--name', 'conformance', '--database', database])).stdout.trim();
  const server = await startServer(database);
  return {
    url: server.url,
    token,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
};

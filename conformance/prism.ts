import { join } from 'node:path';
import { freePort } from '../tests/support/network/port.ts';

/** Prism as a validating proxy. */
export interface Prism extends Disposable {
  readonly url: string;
  /** Its output so far. */
  output(): string;
}

/** Starts Prism before the service at `upstream`, with the document in the given file. */
export const startPrism = async (document: string, upstream: string): Promise<Prism> => {
  const port = await freePort();
  const prism = join(import.meta.dir, 'node_modules/.bin/prism');
  const child = Bun.spawn([process.execPath, prism, 'proxy', document, upstream, '--port', `${port}`, '--errors'], {
    stdout: 'pipe',
    stderr: 'ignore',
  });
  let output = '';
  const listening = Promise.withResolvers<void>();
  void (async () => {
    for await (const chunk of child.stdout) {
      output += Buffer.from(chunk).toString();
      if (output.includes('is listening')) listening.resolve();
    }
  })();
  await Promise.race([
    listening.promise,
    child.exited.then(() => {
      throw new Error(`Prism did not start: ${output}`);
    }),
  ]);
  return { url: `http://127.0.0.1:${port}`, output: () => output, [Symbol.dispose]: () => child.kill() };
};

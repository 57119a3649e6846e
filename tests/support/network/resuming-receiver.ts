import { executableOf } from '../programs/runtimes.ts';

/** Bun's server does not tell whether a session is resumed. */
const program = `
const [cert, key] = process.argv.slice(1);
const server = require('node:https').createServer({ cert, key }, (request, response) => {
  console.log(JSON.stringify(request.socket.isSessionReused()));
  request.resume().on('end', () => response.writeHead(200, { connection: 'close' }).end());
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;

export interface ResumingReceiver extends Disposable {
  readonly port: number;
  /** For each request so far, whether its session was resumed. */
  readonly resumed: readonly boolean[];
}

/** A receiver that resumes sessions of TLS (RFC 8446 §2.2), and closes the connection after each response. */
export const startResumingReceiver = async (tls: { cert: string; key: string }): Promise<ResumingReceiver> => {
  const child = Bun.spawn([executableOf('node'), '-e', program, '--', tls.cert, tls.key], { stdout: 'pipe' });
  const started = Promise.withResolvers<number>();
  const resumed: boolean[] = [];
  void (async () => {
    let rest = '';
    for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + piece).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const value: unknown = JSON.parse(line);
        if (typeof value === 'boolean') resumed.push(value);
        else started.resolve(Number(value));
      }
    }
  })();
  return { port: await started.promise, resumed, [Symbol.dispose]: () => child.kill('SIGKILL') };
};

import { connect, type Socket } from 'node:net';
import { executableOf } from '../programs/runtimes.ts';

/** Bun ignores the length of the queue. */
const program = `
const [host, port] = process.argv.slice(1);
const server = require('node:net').createServer().listen({ host, port, backlog: 1 }, () => {
  process.stdout.write('listening', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
});`;

/** Makes Linux drop all attempts to connect to a port: a program listens there, accepts nothing, and its queue is full. */
export const startSilentAddress = async (host: string, port: number): Promise<Disposable> => {
  const command = [executableOf('node'), '-e', program, host, `${port}`];
  const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'inherit' });
  await child.stdout.getReader().read();
  const sockets: Socket[] = [];
  for (let isFull = false; !isFull; ) {
    const socket = connect({ host, port }).on('error', () => {});
    sockets.push(socket);
    const connected = new Promise<boolean>((resolve) => socket.once('connect', () => resolve(false)));
    isFull = await Promise.race([connected, Bun.sleep(500).then(() => true)]);
  }
  return {
    [Symbol.dispose]: () => {
      for (const socket of sockets) socket.destroy();
      child.kill('SIGKILL');
    },
  };
};

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';

/** A connection that collects what it receives. With `allowHalfOpen` it can send after the server has closed its side. */
export const open = async (port: number, { allowHalfOpen = false } = {}) => {
  const socket: Socket = connect({ port, host: '127.0.0.1', allowHalfOpen });
  let text = '';
  let isClosed = false;
  socket.on('data', (data) => {
    text += data.toString('latin1');
  });
  socket
    .on('error', () => {})
    .on('close', () => {
      isClosed = true;
    });
  await once(socket, 'connect');
  return { socket, text: () => text, isClosed: () => isClosed };
};

/** The header section of a message with `Host: localhost` and these fields. */
export const message = (method: string, path: string, ...fields: string[]): string =>
  [`${method} ${path} HTTP/1.1`, 'Host: localhost', ...fields, '', ''].join('\r\n');

/** Resolves once the server has read what other connections sent before: it responds to a request that is sent now. */
export const untilRead = async (port: number): Promise<void> => {
  await (await fetch(`http://127.0.0.1:${port}/healthz`, { keepalive: false })).text();
};

/** How many connections to this port on 127.0.0.1 the server has not closed (Linux). */
export const countConnections = (port: number): number => {
  const local = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const established = '01';
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, address, , state]) => address === local && state === established).length;
};

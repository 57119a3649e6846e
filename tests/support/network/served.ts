/** Requests to a server in a separate process. */
import { withStore } from '../../../src/cli/database.ts';
import { digestToken, generateToken, scopes } from '../../../src/tokens/token.ts';
import { configOf } from '../app/config.ts';
import { open, untilRead } from './connection.ts';

/** Creates a token with every scope in the database, and returns its text. A process for that would take ten times as long. */
export const giveToken = async (database: string): Promise<string> => {
  const text = generateToken();
  await withStore(await configOf(database), {}, ({ tokens }) =>
    tokens.create({ name: 'test', scopes, digest: digestToken(text) }),
  );
  return text;
};

export const createPlant = (url: string, token: string, body: string): Promise<Response> =>
  fetch(`${url}/plants`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body,
  });

/** A request whose body is incomplete, and whose beginning the server has read. The answer rejects if the connection ends without one. */
export const halfSent = async (port: number, token: string) => {
  // It is connected, else another connection could be read first.
  const { socket } = await open(port);
  const answer = new Promise<string>((resolve, reject) => {
    socket.once('data', (data) => resolve(data.toString()));
    socket.once('close', () => reject(new Error('The connection was closed without a response.')));
  });
  // Not every test reads it.
  answer.catch(() => {});
  const head = `POST /plants HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 19\r\n\r\n`;
  socket.write(`${head}{"id":1,`);
  await untilRead(port);
  return { answer, finish: () => socket.write('"name":"n"}'), [Symbol.dispose]: () => socket.destroy() };
};

import type { Send } from '../../support/plant-load.ts';

/** Sends requests that the service refuses, each for another reason, and some without an operation. */
export const sendMistakes = async (send: Send): Promise<void> => {
  for (const [method, path, headers = {}, body] of mistakes) {
    const response = await send(method, path, { headers, ...(body !== undefined && { body }) });
    await response.arrayBuffer();
  }
};

type Mistake = readonly [method: string, path: string, headers?: Record<string, string>, body?: string];

const mistakes: readonly Mistake[] = [
  ['GET', '/plants/9223372036854775807'],
  ['GET', '/plants/no-number'],
  ['GET', '/plants?limit=0'],
  ['GET', '/plants', { authorization: 'Bearer wrong' }],
  ['POST', '/plants', {}, '{'],
  ['POST', '/plants', { 'content-type': 'text/plain' }, 'a plant'],
  ['PUT', '/plants/1', {}, '{}'],
  ['PURGE', '/plants/1'],
  ['GET', '/no/such/path/31337'],
  ['GET', '/healthz'],
  ['HEAD', '/plants'],
  ['OPTIONS', '/plants'],
];

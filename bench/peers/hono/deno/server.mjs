/** Hono on Deno (https://hono.dev/docs/getting-started/deno), on node:sqlite, with a log that is written once a turn of the event loop. */
import { createApp } from '../app.ts';
import { openStore } from './store.mjs';

const { DATABASE, LOG, PORT, TOKEN_DIGEST } = Deno.env.toObject();
const store = openStore(DATABASE);
store.addToken(TOKEN_DIGEST, 'plants:read plants:write');

const file = Deno.openSync(LOG, { append: true, create: true });
const encoder = new TextEncoder();
let lines = '';
const flush = () => {
  file.writeSync(encoder.encode(lines));
  lines = '';
};
const write = (level, line, msg) => {
  if (lines === '') setTimeout(flush, 0);
  lines += `${JSON.stringify({ level, time: new Date().toISOString(), ...line, msg })}\n`;
};
const log = { request: (line) => write('info', line, 'request'), defect: (line) => write('error', line, 'defect') };

const { fetch } = createApp(store, log);
Deno.serve({
  hostname: '127.0.0.1',
  port: Number(PORT),
  onListen: ({ port }) => console.log(`listening on ${port}`),
  handler: (request) => fetch(request),
});

/** Hono on Bun (https://hono.dev/docs/getting-started/bun), on bun:sqlite. */
import { createApp } from './app.ts';
import { openLog } from './log.ts';
import { openStore } from './store.ts';

const { DATABASE = '', LOG = '', PORT = '', TOKEN_DIGEST = '' } = process.env;
const store = openStore(DATABASE);
store.addToken(TOKEN_DIGEST, 'plants:read plants:write');
const { fetch } = createApp(store, openLog(LOG));

const server = Bun.serve({ hostname: '127.0.0.1', port: Number(PORT), fetch });
console.log(`listening on ${server.port}`);

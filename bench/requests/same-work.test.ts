import { expect, test } from 'bun:test';
import { bun, here, run } from '../support/servers.ts';
import { peer } from './contestants.ts';
import { canTrace } from './same-work/sync-checks.ts';
import { checkSameWork } from './same-work.ts';

const server = 'peers/hono/app.ts';
const store = 'peers/hono/store.ts';
const requests = 'peers/hono/requests.ts';

/** The Hono server with a changed text in one of its files. */
const mutant = (file: string, from: string, to: string) => {
  const [runtime = '', program = ''] = bun('peers/hono/server.ts');
  const preload = ['--preload', here('requests/same-work/mutate.ts')];
  return peer({ stack: 'Mutant', versions: { mutant: '1' }, program: [runtime, ...preload, program, file, from, to] });
};

const check = async (file: string, from: string, to: string): Promise<void> => {
  const contestant = mutant(file, from, to);
  await using running = await run(contestant);
  await checkSameWork(contestant, running);
};

test('a server that does all the work passes the check', async () => {
  await check(server, 'The service has failed.', 'The server has failed.');
});

for (const [omission, sentence, file, from, to] of [
  ['stores no event', 'one event for each plant', store, 'if (isNew) insertEvent', 'if (!isNew) insertEvent'],
  ['logs nothing', 'one line of the log', server, 'log.request(', 'void ('],
  ['does not look a revoked token up', 'a revoked token is refused', server, 'found.revokedAt !== null', 'false'],
  ['accepts expired tokens', 'an expired token is refused', server, '<= Date.now()', '<= 0'],
  [
    'ignores scopes',
    'a token with only plants:read creates nothing',
    server,
    'includes(scope)',
    "includes('plants:read')",
  ],
  ['counts UTF-16 units', 'the response to a create', requests, '[...value].length <= lengthMax', 'false'],
  ['sends every read in full', 'a plant that the client has', server, '=== etag', "=== ''"],
  ['reads no further than a page', 'the Link to the next page', server, 'limit + 1', 'limit'],
  ['responds to a conflict with 200', 'another name conflicts', server, 'present?.name !== name', 'present?.id !== id'],
] as const)
  test(`a server that ${omission} fails the check`, async () => {
    await expect(check(file, from, to)).rejects.toThrow(sentence);
  });

/** Syncs can be checked only with strace. */
const isTraceable = await (async () => {
  const child = Bun.spawn(['sleep', '60']);
  try {
    return await canTrace(child.pid);
  } finally {
    child.kill();
  }
})();

for (const [omission, sentence, file, from, to] of [
  ['does not sync', 'every create is synced', store, 'synchronous = FULL', 'synchronous = NORMAL'],
  ['needs two transactions', 'in one transaction', store, 'db.transaction((', '(('],
] as const)
  test.skipIf(!isTraceable)(`a server that ${omission} for a create fails the check`, async () => {
    await expect(check(file, from, to)).rejects.toThrow(sentence);
  });

/** What a server promises when other processes use or replace its database. */
import { describe, expect, test } from 'bun:test';
import { renameSync, truncateSync } from 'node:fs';
import { constants } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { openSqliteStore } from '../../src/engines/sqlite.ts';
import { expectPace, idleMs } from '../support/pace.ts';
import { type RunningServer, startServer } from '../support/programs/process.ts';
import { until } from '../support/until.ts';
import { createDatabase, replacements } from './replacements.ts';

/** The exit status of a process that a signal ended. */
const signalled = (signal: 'SIGBUS'): number => 128 + constants.signals[signal];

describe('a server', () => {
  /** The statuses of /readyz until it does not answer any more. */
  const readUntilGone = async ({ url }: RunningServer): Promise<number[]> => {
    const statuses: number[] = [];
    for (;;) {
      const response = await fetch(`${url}/readyz`).catch(() => undefined);
      if (!response) return statuses;
      statuses.push(response.status);
      await setTimeout(50);
    }
  };

  test.each(replacements.filter((_, index) => [0, 3, 5].includes(index)))(
    'a server is not ready and exits with 1 within a few seconds once %s',
    async (what, replace) => {
      using folder = await createDatabase();
      await using server = await startServer(folder.database);
      replace(folder);
      const reading = readUntilGone(server);
      expectPace('the end of the server', await idleMs(server.exited), 8000);
      const statuses = await reading;
      // A read between the truncation and the next look at the files ends the process by SIGBUS, before it can say why.
      if ((await server.exited) === signalled('SIGBUS') && what.includes('truncated')) return;
      expect(await server.exited).toBe(1);
      expect([...new Set(statuses)].at(-1)).toBe(503);
      expect(server.log.map(({ msg }) => msg).join('\n')).toMatch(
        /the database file or its log was replaced or removed|WAL index/,
      );
    },
  );

  test('a server accepts no token that is revoked in the database that has replaced its own', async () => {
    using folder = await createDatabase();
    const other = openSqliteStore(folder.backup);
    await other.tokens.revoke(folder.tokenId);
    await other.close();
    await using server = await startServer(folder.database);
    const get = () => fetch(`${server.url}/plants/1`, { headers: folder.headers }).then(({ status }) => status);
    expect(await get()).toBe(200);
    renameSync(folder.backup, folder.database);
    await until(async () => (await get().catch(() => 503)) === 503);
    expect(await server.exited).toBe(1);
  });

  test('a server whose WAL index is truncated under load ends, and its next start has all acknowledged plants', async () => {
    for (let round = 0; round < 3; round += 1) {
      using folder = await createDatabase();
      const headers = { ...folder.headers, 'content-type': 'application/json' };
      const created: number[] = [];
      {
        await using server = await startServer(folder.database);
        let isOver = false;
        const clients = Array.from({ length: 32 }, async (_, client) => {
          for (let id = client * 1_000_000; !isOver; id += 1) {
            const body = `{"id":${id},"name":"n"}`;
            const request = fetch(`${server.url}/plants`, { method: 'POST', headers, body });
            if (await request.then(({ ok }) => ok).catch(() => setTimeout(5, false))) created.push(id);
            await fetch(`${server.url}/plants/${id}`, { headers }).catch(() => setTimeout(5));
          }
        });
        await until(() => created.length > 100);
        truncateSync(`${folder.database}-shm`, 0);
        expect(await server.exited).toBeGreaterThan(0);
        isOver = true;
        await Promise.all(clients);
      }
      await using server = await startServer(folder.database);
      const statusOf = async (id: number) => (await fetch(`${server.url}/plants/${id}`, { headers })).status;
      for (const id of created.slice(-50)) expect(await statusOf(id)).toBe(200);
    }
  });
});

/** What a request to the server sees of changes that another process made. `bun run faults --group runtimes` runs it on each runtime. */
import { expect, test } from 'bun:test';
import { openSqliteStore } from '../../src/engines/sqlite.ts';
import { digestToken, generateToken, scopes } from '../../src/tokens/token.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startServer } from '../support/programs/process.ts';
import { openDatabase } from '../support/store/sqlite.ts';

test('a request never sees a state from before it was sent, on any number of connections', async () => {
  using folder = temporaryFolder();
  const path = folder.file('p.sqlite');
  const clients = 64;
  const rounds = 40;
  const tokens = Array.from({ length: clients }, generateToken);
  const store = openSqliteStore(path);
  for (const [index, token] of tokens.entries()) {
    await store.tokens.create({ name: `${index}`, scopes, digest: digestToken(token) });
    await store.plants.create({ id: BigInt(index), name: 'new' });
  }
  await store.close();
  await using server = await startServer(path);
  using other = openDatabase(path);
  // The server writes when it starts.
  other.run('PRAGMA busy_timeout = 5000');
  // Visibility to other processes does not depend on a sync.
  other.run('PRAGMA synchronous = OFF');

  const rename = other.prepare<never, { name: string; id: number }>('UPDATE plants SET name = $name WHERE id = $id');
  const revoke = other.prepare<never, { name: string }>(
    "UPDATE tokens SET revoked_at = '2026-05-01T09:30:00.000Z' WHERE name = $name",
  );
  const get = (index: number): Promise<Response> =>
    fetch(`${server.url}/plants/${index}`, { headers: { authorization: `Bearer ${tokens[index]}` } });
  const work = async (index: number): Promise<void> => {
    for (let round = 0; round < rounds; round += 1) {
      const name = `round ${round}`;
      rename.run({ name, id: index });
      const seen = await (await get(index)).json();
      expect(seen).toMatchObject({ name });
    }
    revoke.run({ name: `${index}` });
    expect(await get(index)).toHaveProperty('status', 401);
  };
  await Promise.all(Array.from({ length: clients }, (_, index) => work(index)));
});

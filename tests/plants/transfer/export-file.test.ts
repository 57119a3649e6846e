/** `GET /export`: all plants, or those of a filter, from one snapshot. */
import { beforeEach, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { createLog } from '../../../src/log.ts';
import { createExporter, exportsMax } from '../../../src/plants/transfer/exporter.ts';
import { ndjson } from '../../../src/plants/transfer/ndjson.ts';
import { createTestApp, errorOf, jsonOf, type TestApp } from '../../support/app/app.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { createTestDatabase, onBothEngines, openTestStore } from '../../support/store/engines.ts';
import { until } from '../../support/until.ts';

onBothEngines(() => {
  let app: TestApp;
  beforeEach(async () => {
    app = await createTestApp();
  });

  const fill = (plants: { id: bigint; name: string; tag?: string }[]) =>
    app.store.plants.putAll((put) => put(plants, 'leave'));
  const exportPlants = (query = '', accept = '*/*') => app.send('GET', `/export${query}`, { headers: { accept } });
  const idsIn = (text: string): string[] => [...text.matchAll(/^\{"id":(-?\d+)/gm)].map(([, id = '']) => id);

  test('an export has all plants by ascending id, and its import changes nothing', async () => {
    await fill([
      { id: 2n ** 63n - 1n, name: '=1+1', tag: '' },
      { id: -5n, name: 'a "b"\nc' },
    ]);
    for (const type of ['application/x-ndjson', 'text/csv']) {
      const response = await exportPlants('', type);
      expect(response.headers.get('content-type')).toBe(type);
      const body = await response.text();
      const again = await app.send('POST', '/import', { headers: { 'content-type': type }, body });
      expect(await again.json()).toMatchObject({ created: 0, unchanged: 2, rejected: 0 });
    }
    expect(await (await exportPlants('', 'text/csv')).text()).toMatch(
      /^id,name,tag,createdAt,updatedAt\r\n-5,"a ""b""\nc",,"[^"]+","[^"]+"\r\n9223372036854775807,"=1\+1","",/,
    );
  });

  test.each([
    ['', ['1', '2', '3', '4']],
    ['?tag=a', ['1', '3']],
    ['?tag=a&tag=b', ['1', '2', '3']],
    ['?name=Fi', ['1', '2']],
    ['?name=fi', []],
    ['?name=Fi&tag=b', ['2']],
    ['?search=I', ['1', '2']],
    ['?search=s&name=M', ['3']],
    ['?search=FI&tag=a', ['1']],
    ['?search=%25', []],
    ['?name=&tag=', []],
    ['?name=%25', []],
  ])('an export with the filter %p has the plants that a list with it has', async (query, ids) => {
    await fill([
      { id: 1n, name: 'Ficus', tag: 'a' },
      { id: 2n, name: 'Figs', tag: 'b' },
      { id: 3n, name: 'Moss', tag: 'a' },
      { id: 4n, name: 'Fern' },
    ]);
    expect(idsIn(await (await exportPlants(query)).text())).toEqual(ids);
    const listed = await app.send('GET', `/plants${query}`);
    expect((await jsonOf(listed)).map(({ id }: { id: number }) => `${id}`)).toEqual(ids);
  });

  test('an export of an empty store is empty, or a header', async () => {
    expect(await (await exportPlants()).text()).toBe('');
    expect(await (await exportPlants('', 'text/csv')).text()).toBe('id,name,tag,createdAt,updatedAt\r\n');
  });

  test('HEAD has the headers, and begins no export', async () => {
    for (let count = 0; count <= exportsMax; count += 1) {
      const { status, headers } = await app.send('HEAD', '/export', { headers: { accept: 'text/csv' } });
      expect([status, headers.get('content-type')]).toEqual([200, 'text/csv']);
    }
  });

  const many = Array.from({ length: 5000 }, (_, index) => ({ id: BigInt(index), name: 'n'.repeat(100) }));

  test('a slow client gets the plants of the snapshot, keeps no transaction open, and leaves no file', async () => {
    await using database = await createTestDatabase();
    using folder = temporaryFolder();
    const store = await openTestStore(database.url);
    app = await createTestApp({ store, spoolFolder: folder.path });
    await fill(many);
    let isRead = false;
    const watched = {
      scan: async function* () {
        yield* store.plants.scan();
        isRead = true;
      },
    };
    const options = { plants: watched, spoolFolder: folder.path, log: createLog('silent') };
    const start = createExporter(options);
    const text = await start({ format: ndjson, fits: () => true });
    // Nobody has read anything.
    await until(() => isRead);
    await store.plants.delete(4999n);
    const ids = idsIn(await new Response(text).text());
    expect([ids.length, ids.at(-1)]).toEqual([5000, '4999']);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  test('so many exports may be in progress, and one that is cancelled or complete makes room', async () => {
    await fill(many);
    const start = createExporter({
      plants: app.store.plants,
      spoolFolder: temporaryFolder().path,
      log: createLog('silent'),
    });
    const begin = () => start({ format: ndjson, fits: () => true });
    const expectFull = () => expect(begin()).rejects.toThrow('Too many exports are in progress.');
    const streams: ReadableStream[] = [];
    for (let count = 0; count < exportsMax; count += 1) streams.push(await begin());
    await expectFull();
    await streams.pop()?.cancel();
    streams.push(await begin());
    await expectFull();
    await new Response(streams.pop()).text();
    streams.push(await begin());
    await expectFull();
    for (const stream of streams) await stream.cancel();
  });

  test('a temporary file that cannot be written is 503', async () => {
    app = await createTestApp({ store: await openTestStore(), spoolFolder: '/absent' });
    await fill(many);
    const response = await exportPlants();
    expect([response.status, await errorOf(response)]).toEqual([503, 50300]);
  });

  test('an export that fails before its first plants rejects, and one that fails later is cut off', async () => {
    const options = { spoolFolder: temporaryFolder().path, log: createLog('silent') };
    await fill(many);
    const begin = (scan: typeof app.store.plants.scan, bytesMax?: number) =>
      createExporter({ plants: { scan }, ...options }, bytesMax)({ format: ndjson, fits: () => true });
    const failing = async function* () {
      yield [];
      yield* app.store.plants.scan();
      throw new Error('The database is away.');
    };
    await expect(
      begin(() => {
        throw new Error('The database is away.');
      }),
    ).rejects.toThrow('away');
    await expect(new Response(await begin(failing)).text()).rejects.toThrow();
    await expect(new Response(await begin(app.store.plants.scan, 200_000)).text()).rejects.toThrow();
  });
});

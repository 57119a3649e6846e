/** The list of plants in every order, and with every filter. */
import { beforeEach, describe, expect, test } from 'bun:test';
import { encodeCursor } from '../../src/base/page.ts';
import { findByName, namedPlantsMax } from '../../src/plants/by-name.ts';
import type { ImportedPlant } from '../../src/plants/import.ts';
import { cursorLists, cursorOf, type ListOrder, listOrders } from '../../src/plants/order.ts';
import { scannedByIdMax, scannedByTimeMax, tagsMax } from '../../src/plants/paging.ts';
import type { PlantRecord } from '../../src/plants/plant.ts';
import { createTestApp, errorOf, jsonOf, type TestApp } from '../support/app/app.ts';
import { nextPath } from '../support/app/links.ts';
import { onBothEngines } from '../support/store/engines.ts';

let app: TestApp;

const put = (plants: readonly ImportedPlant[]): Promise<unknown> =>
  app.store.plants.putAll(async (putSome) => {
    for (let start = 0; start < plants.length; start += 1000)
      await putSome(plants.slice(start, start + 1000), 'replace');
  });

const time = (n: number): string => new Date(Date.UTC(2026, 0, 1) + n).toISOString();

interface Page {
  readonly ids: number[];
  readonly next: string | undefined;
}

const read = async (path: string): Promise<Page> => {
  const response = await app.send('GET', path);
  expect([path, response.status]).toEqual([path, 200]);
  const plants: PlantRecord[] = await jsonOf(response);
  return { ids: plants.map(({ id }) => Number(id)), next: nextPath(response, path) };
};

const readAll = async (path: string, between: () => Promise<unknown> = async () => {}): Promise<number[][]> => {
  const pages: number[][] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const page: Page = await read(next);
    pages.push(page.ids);
    next = page.next;
    if (next) await between();
  }
  return pages;
};

/** Few times, so that many plants have the same one. */
const some: ImportedPlant[] = Array.from({ length: 60 }, (_, index) => ({
  id: BigInt((index * 37) % 60) - 20n,
  name: `${'aAbB'[index % 4]}${index % 7}`,
  ...(index % 5 > 0 && { tag: `t${index % 5}` }),
  createdAt: time((index * 7) % 9),
}));

const inOrder = (order: ListOrder, plants = some): number[] => {
  const sign = order.startsWith('-') ? -1 : 1;
  const isByTime = order.endsWith('createdAt');
  const compare = (a: ImportedPlant, b: ImportedPlant): number => {
    if (isByTime && a.createdAt !== b.createdAt) return `${a.createdAt}` < `${b.createdAt}` ? -sign : sign;
    // Their letters are ASCII.
    if (order.endsWith('name') && a.name !== b.name) return a.name < b.name ? -sign : sign;
    return a.id < b.id ? -sign : sign;
  };
  return plants.toSorted(compare).map(({ id }) => Number(id));
};

const queryOf = (parameters: readonly [name: string, value: string][]): string =>
  `${new URLSearchParams([...parameters])}`;

onBothEngines(() => {
  beforeEach(async () => {
    app = await createTestApp();
  });

  test.each([...listOrders])('sort=%s lists all plants in this order, in pages of any size', async (order) => {
    await put(some);
    for (const limit of [1, 7, 60, 100])
      expect((await readAll(`/plants?sort=${order}&limit=${limit}`)).flat()).toEqual(inOrder(order));
    expect(await readAll(`/plants?sort=${order}&limit=60`)).toHaveLength(1);
  });

  test('every order with every filter lists the plants that fit, in pages of any size', async () => {
    await put(some);
    for (const order of listOrders)
      for (const name of ['', 'a', 'A', 'b3', 'x'])
        for (const tags of [[], ['t1'], ['t2', 't4', 'none'], ['none']]) {
          const fitting = some.filter(
            (plant) => plant.name.startsWith(name) && (tags.length === 0 || tags.includes(plant.tag ?? 'no tag')),
          );
          for (const limit of [3, 100]) {
            const query = queryOf([
              ['sort', order],
              ['name', name],
              ['limit', `${limit}`],
              ...tags.map((tag): [string, string] => ['tag', tag]),
            ]);
            const pages = await readAll(`/plants?${query}`);
            expect([query, pages.flat()]).toEqual([query, inOrder(order, fitting)]);
            expect(pages.every(({ length }, index) => length === limit || index === pages.length - 1)).toBe(true);
          }
        }
  });

  test.each([
    ['LYRATA', [1, 2, 3]],
    ['ficus l', [1]],
    ['s', [1, 3, 4, 5, 6]],
    ['ä', [5]],
    ['Ä', [6]],
    ['ẞ', []],
    ['%', [4]],
    ['_', []],
    ['K', [5, 7]],
    ['\\', []],
    ["'", []],
  ])('the search for %p finds the names that contain it, with A to Z in any case', async (search, ids) => {
    const names = ['Ficus lyrata', 'lyrata', 'x LYRATA S', '100 % Moss', 'käse'.slice(0, 3), 'ÄS', 'k', '\u212a'];
    await put(names.map((name, index) => ({ id: BigInt(index + 1), name, ...(index < 2 && { tag: 't' }) })));
    expect(await readAll(`/plants?${queryOf([['search', search]])}`)).toEqual([ids]);
    const tagged = ids.filter((id) => id <= 2);
    for (const sort of listOrders) {
      const expected = sort.startsWith('-') ? tagged.toReversed() : tagged;
      const pages = await readAll(
        `/plants?${queryOf([
          ['search', search],
          ['tag', 't'],
          ['limit', '1'],
          ['sort', sort],
        ])}`,
      );
      if (sort.endsWith('id')) expect(pages.flat()).toEqual(expected);
      expect(pages.flat().toSorted()).toEqual(tagged);
    }
    expect(
      await readAll(
        `/plants?${queryOf([
          ['search', search],
          ['name', 'l'],
        ])}`,
      ),
    ).toEqual([ids.filter((id) => id === 2)]);
  });

  test('a page of a search looks at a part of the store, its link keeps the search, and there is no total', async () => {
    await put(Array.from({ length: scannedByIdMax + 2 }, (_, id) => ({ id: BigInt(id), name: `N${id % 10}` })));
    expect(await readAll('/plants?search=x')).toEqual([[], []]);
    expect(await readAll('/plants?search=n1&limit=1000&count=true')).toHaveLength(2);
    const { headers } = await app.send('GET', '/plants?search=n1&count=true');
    expect([headers.get('x-total-count'), headers.get('link')]).toEqual([null, expect.stringContaining('search=n1')]);
  });

  test.each([...listOrders])(
    'a cursor of sort=%s stays valid: no plant that did not change is skipped or listed twice',
    async (order) => {
      await put(some);
      const changing = some.filter((_, index) => index % 3 === 0).map(({ id }) => id);
      let turn = 0;
      const pages = await readAll(`/plants?sort=${order}&limit=4`, async () => {
        const id = changing[turn];
        turn += 1;
        if (id === undefined) return;
        // One is deleted, one gets another time, and one is added at a time of others.
        await app.store.plants.delete(id);
        const other = changing[changing.length - turn];
        if (other !== undefined && turn < changing.length / 2)
          await put([{ id: other, name: `moved ${turn}`, createdAt: time(turn) }]);
        await put([{ id: 1000n + BigInt(turn) * (turn % 2 ? 1n : -1n), name: 'new', createdAt: time(turn % 9) }]);
      });
      const seen = pages.flat();
      const unchanged = inOrder(
        order,
        some.filter((_, index) => index % 3 !== 0),
      );
      expect(turn).toBeGreaterThan(10);
      expect(seen.filter((id) => unchanged.includes(id))).toEqual(unchanged);
    },
  );

  test('every order begins and ends with the smallest and the largest id', async () => {
    const [min, max] = [-(2n ** 63n), 2n ** 63n - 1n];
    await put([min, 0n, max].map((id) => ({ id, name: 'n', tag: 't', createdAt: time(0) })));
    for (const order of listOrders)
      for (const filter of ['', '&tag=t', '&tag=t&tag=u', '&name=n']) {
        const ids: string[] = [];
        for (let path: string | undefined = `/plants?sort=${order}&limit=1${filter}`; path !== undefined; ) {
          const response: Response = await app.send('GET', path);
          ids.push(...[...(await response.text()).matchAll(/"id":(-?\d+)/g)].map(([, id = '']) => id));
          path = nextPath(response, path);
        }
        const ascending = [`${min}`, '0', `${max}`];
        expect([order, filter, ids]).toEqual([
          order,
          filter,
          order.startsWith('-') ? ascending.toReversed() : ascending,
        ]);
      }
    for (const [order, id] of [
      ['id', max],
      ['-id', min],
    ] as const)
      expect(await read(`/plants?sort=${order}&after=${cursorOf(order, { id })}`)).toEqual({
        ids: [],
        next: undefined,
      });
  });

  test('a cursor is one of its order alone, and of every filter', async () => {
    await put(some);
    const cursors = await Promise.all(
      listOrders.map(async (order) => {
        const { next } = await read(`/plants?sort=${order}&limit=10`);
        return [order, new URLSearchParams(next?.split('?')[1]).get('after') ?? ''] as const;
      }),
    );
    for (const [order, cursor] of cursors)
      for (const other of listOrders) {
        const response = await app.send('GET', `/plants?sort=${other}&tag=t1&name=a&after=${cursor}`);
        if (other === order) expect(response.status).toBe(200);
        else expect([order, other, await errorOf(response)]).toEqual([order, other, 40004]);
      }
    const [[, byId]] = cursors as [readonly [ListOrder, string]];
    expect(byId).toBe(cursorOf('id', { id: -11n }));
    expect((await app.send('GET', `/plants?after=${byId}`)).status).toBe(200);
    expect((await read(`/plants?limit=10`)).next).toBe(`/plants?limit=10&after=${byId}`);
  });

  test('a name is compared by code points, without wildcards, normal forms or upper and lower case', async () => {
    const names = [
      '%',
      '_',
      '%a',
      'a%',
      'A',
      'a',
      'ä',
      'a\u0308',
      '🌱',
      '🌱x',
      '\u{1f331}',
      '\\',
      "'",
      '"',
      '*',
      '[a]',
      '',
      '\ud7ff',
      '\ue000',
      '\u{10ffff}',
    ];
    await put(names.map((name, index) => ({ id: BigInt(index), name })));
    for (const prefix of [...new Set(names), '🌱x', 'a%%', '\u202e']) {
      const expected = names.flatMap((name, index) => (name.startsWith(prefix) ? [index] : []));
      expect([prefix, (await read(`/plants?name=${encodeURIComponent(prefix)}`)).ids]).toEqual([prefix, expected]);
    }
  });

  test('names are in the order of their code points, and then of their ids', async () => {
    // By UTF-16, U+E000 would be after U+1F331, and in an order for people A beside a and ä.
    const names = [
      '',
      ' ',
      'A',
      'B',
      'a',
      'a',
      'aa',
      'a\u0308',
      'b',
      'ä',
      '\ud7ff',
      '\ue000',
      '\ufeff',
      '🌱',
      '\u{10ffff}',
    ];
    const plants = names.map((name, index) => ({ id: BigInt(index), name }));
    await put(plants.toSorted((a, b) => ((a.id * 7n) % 15n < (b.id * 7n) % 15n ? -1 : 1)));
    const ids = names.keys().toArray();
    for (const limit of [1, 4, 100]) {
      expect((await readAll(`/plants?sort=name&limit=${limit}`)).flat()).toEqual(ids);
      expect((await readAll(`/plants?sort=-name&limit=${limit}`)).flat()).toEqual(ids.toReversed());
    }
  });

  test('the cursor of a name of 500 code points leads to the next page', async () => {
    const names = ['🌱'.repeat(500), `${'🌱'.repeat(499)}🌲`, '🌳'];
    await put(names.map((name, index) => ({ id: BigInt(index), name })));
    expect(await readAll('/plants?sort=name&limit=1')).toEqual([[0], [1], [2]]);
  });

  test('a plant that gets a later name is listed again, and one that gets an earlier name is not', async () => {
    await put(['a', 'b', 'c', 'd'].map((name, index) => ({ id: BigInt(index), name })));
    const { next = '' } = await read('/plants?sort=name&limit=2');
    await put([
      { id: 1n, name: 'e' },
      { id: 3n, name: 'A' },
    ]);
    expect(await readAll(next)).toEqual([[2, 1]]);
  });

  test('a page by name ends at 1 MiB, and its link leads to the others', async () => {
    const [name, tag] = ['\u{10ffff}'.repeat(500), '\u{10ffff}'.repeat(100)];
    await put(Array.from({ length: 700 }, (_, index) => ({ id: BigInt(index), name, tag })));
    const pages = await readAll('/plants?sort=name&limit=1000');
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flat()).toEqual([...Array(700).keys()]);
  });

  test(`at most ${namedPlantsMax} plants that fit are listed by name`, async () => {
    const ids = Array.from({ length: namedPlantsMax }, (_, id) => BigInt(id));
    await put(ids.map((id) => ({ id, name: `N${id % 10n}`, tag: id < 5 ? 'few' : 'many' })));
    const { ids: first } = await read('/plants?sort=-name&limit=1000');
    expect(first).toEqual(Array.from({ length: 1000 }, (_, index) => namedPlantsMax - 1 - 10 * index));
    expect((await read('/plants?sort=name&name=N&limit=2')).ids).toEqual([0, 10]);
    await put([{ id: -1n, name: 'N9', tag: 'one' }]);
    for (const query of ['', '&name=N', '&search=n', '&tag=many&tag=few&tag=one']) {
      const { error, message, details } = await jsonOf(await app.send('GET', `/plants?sort=name${query}`));
      const rule = 'cannot be by name if more than 10,000 plants fit the filters, or more than 100,000 are searched';
      expect([query, error, message]).toEqual([query, 40002, `The query parameter sort ${rule}.`]);
      expect(details).toEqual([{ parameter: 'sort', message: rule }]);
    }
    expect(await readAll('/plants?sort=name&search=n9&name=N9&tag=one&tag=few')).toEqual([[-1]]);
    expect((await read('/plants?sort=-name&search=9&limit=2')).ids).toEqual([9999, 9989]);
    expect((await read('/plants?sort=name&tag=few&tag=many&limit=2')).ids).toEqual([0, 10]);
  });

  test('so many plants are searched by name, and the search ends when its client has disconnected', async () => {
    await put(
      Array.from({ length: 4001 }, (_, id) => ({ id: BigInt(id), name: `n${id}`, tag: id < 4000 ? 'a' : 'b' })),
    );
    const { plants } = app.store;
    const client = new AbortController();
    const find = async (tags: string[], search: string) => {
      const query = { order: 'name', tags, search, limit: 10, after: undefined } as const;
      const list = await findByName(plants, query, client.signal, { named: 2000, searched: 4000 });
      const { json } = await list(10, undefined);
      return JSON.parse(new TextDecoder().decode(json)).map(({ id }: PlantRecord) => Number(id));
    };
    expect(await find(['a'], '3999')).toEqual([3999]);
    expect(await find(['a', 'b'], '4000')).toEqual([4000]);
    await expect(find([], '4000')).rejects.toThrow('more than 100,000 are searched');
    client.abort();
    expect(await find(['a'], '3999')).toEqual([]);
  });

  test('with a filter without an index, a page looks at a limited number of plants, and links to the next one', async () => {
    for (const [order, most] of [
      ['id', scannedByIdMax],
      ['createdAt', scannedByTimeMax],
    ] as const) {
      const last = 2 * most + 5;
      const named = [1, most, most + 1, last];
      const plants = Array.from({ length: last }, (_, index) => index + 1).map((n) => ({
        id: BigInt(n),
        name: named.includes(n) ? `rare ${order}` : 'common',
        ...(n % most === 0 && { tag: 'rare' }),
        createdAt: time(n),
      }));
      app = await createTestApp();
      await put(plants);
      const query = `name=r&sort=${order}`;
      expect(await readAll(`/plants?${query}`)).toEqual([[1, most], [most + 1], [last]]);
      expect(await readAll(`/plants?${query}&limit=2`)).toEqual([[1, most], [most + 1], [last]]);
      expect(await readAll(`/plants?${query}&limit=1000`)).toEqual([[1, most], [most + 1], [last]]);
      expect(await readAll(`/plants?name=none&sort=${order}`)).toEqual([[], [], []]);
      const ofTag = [2 * most, most];
      expect(await readAll(`/plants?tag=rare&sort=-${order}`)).toEqual(
        order === 'id' ? [ofTag] : [...ofTag.map((id) => [id]), []],
      );
      expect(await readAll(`/plants?${query}&tag=rare&tag=none`)).toEqual([[most], [], []]);
    }
  });

  test('`count=true` counts the plants with the tags, up to 1,000', async () => {
    await put(some);
    const countOf = async (query: string) =>
      (await app.send('GET', `/plants?count=true${query}`)).headers.get('x-total-count');
    expect(await countOf('')).toBe('60');
    expect(await countOf('&limit=1')).toBe('60');
    expect(await countOf('&tag=t1')).toBe('12');
    expect(await countOf('&tag=t1&tag=t2&tag=none&sort=-createdAt')).toBe('24');
    expect(await countOf('&tag=none')).toBe('0');
    expect((await app.send('GET', '/plants')).headers.has('x-total-count')).toBe(false);
    await put(Array.from({ length: 1000 - 60 }, (_, index) => ({ id: BigInt(5000 + index), name: 'n', tag: 't9' })));
    expect(await countOf('')).toBe('1000');
    await put([{ id: 9999n, name: 'n' }]);
    expect(await countOf('')).toBe('1000+');
    expect(await countOf('&name=')).toBe('1000+');
    expect(await countOf('&name=a')).toBeNull();
  });

  describe('an invalid parameter is refused', () => {
    const tags = Array.from({ length: tagsMax + 1 }, (_, index) => `tag=${index}`).join('&');
    test.each([
      ['sort=', 40002],
      ['sort=Name', 40002],
      ['sort=ID', 40002],
      ['sort=+id', 40002],
      ['sort=id&sort=-id', 40002],
      ['name=a&name=b', 40002],
      ['name=%00', 40002],
      [`name=${'n'.repeat(501)}`, 40002],
      ['tag=a&tag=b&tag=a', 40002],
      [tags, 40002],
      [`tag=a&tag=${'t'.repeat(101)}`, 40002],
      ['tag=a&tag=%00', 40002],
      ['count=yes', 40002],
      [`sort=name&after=${encodeCursor(cursorLists.name, { number: 1n, text: 'n'.repeat(501) })}`, 40004],
      [`sort=-name&after=${encodeCursor(cursorLists['-name'], { number: 1n, text: '\0' })}`, 40004],
      [`sort=createdAt&after=${encodeCursor(cursorLists.createdAt, { number: 1n, text: '' })}`, 40004],
      [`sort=-id&after=${cursorOf('-id', { id: 1n, createdAt: 'x' })}`, 40004],
      [`after=${cursorOf('id', { id: 1n, createdAt: 'x' })}`, 40004],
    ])('a list of plants with %s is refused', async (query, error) => {
      expect(await errorOf(await app.send('GET', `/plants?${query}`))).toBe(error);
    });

    test('the message names the orders', async () => {
      const { message } = await jsonOf(await app.send('GET', '/plants?sort=x'));
      expect(message).toBe('The query parameter sort must be one of id, -id, createdAt, -createdAt, name, -name.');
    });
  });

  test('the maximum of tags, and one empty tag, are accepted', async () => {
    await put([
      { id: 1n, name: 'n', tag: '' },
      { id: 2n, name: 'n', tag: '9' },
      { id: 3n, name: 'n' },
    ]);
    const tags = ['', ...Array.from({ length: tagsMax - 1 }, (_, index) => `${index + 1}`)];
    const query = queryOf(tags.map((tag): [string, string] => ['tag', tag]));
    expect((await read(`/plants?${query}`)).ids).toEqual([1, 2]);
    expect((await read(`/plants?sort=-createdAt&${query}`)).ids.toSorted()).toEqual([1, 2]);
  });
});

import { beforeEach, describe, expect, test } from 'bun:test';
import { int64Max, int64Min } from '../../src/base/int64.ts';
import { cursorOf } from '../../src/plants/order.ts';
import { createTestApp, errorOf, type TestApp } from '../support/app/app.ts';
import { nextPath } from '../support/app/links.ts';
import { onBothEngines } from '../support/store/engines.ts';

let app: TestApp;
onBothEngines(() => {
  beforeEach(async () => {
    app = await createTestApp();
  });

  const add = async (...plants: [bigint, string?][]): Promise<void> => {
    for (const [id, tag] of plants)
      await app.store.plants.create({ id, name: `n${id}`, ...(tag !== undefined && { tag }) });
  };

  interface Page {
    /** From the text, since JSON.parse would lose digits. */
    readonly ids: string[];
    readonly next: string | undefined;
  }

  const read = async (path: string): Promise<Page> => {
    const response = await app.send('GET', path);
    expect(response.status).toBe(200);
    const ids = [...(await response.text()).matchAll(/"id":(-?\d+)/g)].map(([, id = '']) => id);
    return { ids, next: nextPath(response, path) };
  };

  const readAll = async (path: string): Promise<string[][]> => {
    const pages: string[][] = [];
    for (let next: string | undefined = path; next !== undefined; ) {
      const page: Page = await read(next);
      pages.push(page.ids);
      next = page.next;
    }
    return pages;
  };

  test('the list of an empty store is an empty array', async () => {
    const response = await app.send('GET', '/plants');
    expect(await response.text()).toBe('[]');
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.has('link')).toBe(false);
  });

  test('a list has complete records by ascending id, with negative ids first and every digit exact', async () => {
    await add([int64Max], [1n, 't'], [int64Min], [0n], [-1n], [2n ** 53n + 1n]);
    const response = await app.send('GET', '/plants');
    const text = await response.text();
    expect([...text.matchAll(/"id":(-?\d+)/g)].map(([, id]) => id)).toEqual([
      '-9223372036854775808',
      '-1',
      '0',
      '1',
      '9007199254740993',
      '9223372036854775807',
    ]);
    const one = await (await app.send('GET', '/plants/1')).json();
    expect(JSON.parse(text)[3]).toEqual(one);
  });

  test('a page has at most `limit` plants, 100 by default, and a link to the next one if there are more', async () => {
    for (let id = 1n; id <= 101n; id += 1n) await add([id]);
    const first = await read('/plants');
    expect(first.ids).toHaveLength(100);
    expect(await read(first.next ?? '')).toEqual({ ids: ['101'], next: undefined });
    expect((await readAll('/plants?limit=50')).map((ids) => ids.length)).toEqual([50, 50, 1]);
    expect((await readAll('/plants?limit=101')).map((ids) => ids.length)).toEqual([101]);
    expect((await readAll('/plants?limit=1000')).map((ids) => ids.length)).toEqual([101]);
    expect((await readAll('/plants?limit=1')).flat()).toHaveLength(101);
  });

  test('a list with `tag` has only plants with exactly this tag, and its link keeps it', async () => {
    const tags = ['a', 'A', 'a ', '', 'a&b=c', 'é', '+', '🌱'];
    for (const [at, tag] of tags.entries())
      await add([BigInt(3 * at), tag], [BigInt(3 * at + 1), tag], [BigInt(3 * at + 2)]);
    for (const [at, tag] of tags.entries()) {
      expect(await readAll(`/plants?limit=1&tag=${encodeURIComponent(tag)}`)).toEqual([
        [`${3 * at}`],
        [`${3 * at + 1}`],
      ]);
    }
    expect((await read('/plants?tag=none')).ids).toEqual([]);
  });

  test('a comma is a part of a tag, and separates no tags', async () => {
    await add([0n, 'a'], [1n, 'b'], [2n, 'a,b']);
    expect((await read('/plants?tag=a,b')).ids).toEqual(['2']);
    expect((await read('/plants?tag=a&tag=b')).ids).toEqual(['0', '1']);
  });

  test('a list of plants can begin with the smallest int64 and end with the largest', async () => {
    await add([int64Min], [int64Max]);
    expect(await readAll('/plants?limit=1')).toEqual([[`${int64Min}`], [`${int64Max}`]]);
    expect(await read(`/plants?after=${cursorOf('id', { id: int64Max })}`)).toEqual({ ids: [], next: undefined });
  });

  test('a cursor stays valid while plants are added and removed: no other plant is skipped or listed twice', async () => {
    const permanent = Array.from({ length: 40 }, (_, n) => BigInt(10 * n));
    for (const id of permanent) await add([id]);
    const seen: string[] = [];
    for (let next: string | undefined = '/plants?limit=7'; next !== undefined; ) {
      const page: Page = await read(next);
      seen.push(...page.ids);
      const last = BigInt(page.ids.at(-1) ?? 0);
      // One plant is added before the cursor and one after it, and the plant at the cursor is deleted.
      await add([last - 1n], [last + 1n]);
      if (!permanent.includes(last)) await app.store.plants.delete(last);
      next = page.next;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.map(BigInt).filter((id) => permanent.includes(id))).toEqual(permanent);
    expect(seen.map(BigInt)).toEqual(seen.map(BigInt).toSorted((a, b) => (a < b ? -1 : 1)));
  });

  describe('an invalid parameter is refused', () => {
    test.each([
      ...['0', '1001', '-1', '1.0', '1e2', '', ' 1', '01', '+1', 'x', '99999999999', '１'].map(
        (limit): [string, number] => [`limit=${encodeURIComponent(limit)}`, 40002],
      ),
      ['limit=1&limit=1', 40002],
      ['limit', 40002],
      [`tag=${'t'.repeat(101)}`, 40002],
      ['tag=%00', 40002],
      ['tag=a&tag=a', 40002],
      ['tag=%ff', 40002],
      ['tag=%ed%a0%80', 40002],
      ['tag=%', 40002],
      ['after=+', 40004],
      ['after=1', 40004],
      ['after=AQAAAAAAAAAB', 40004],
      [`after=${cursorOf('id', { id: 1n })}x`, 40004],
      [`after=${cursorOf('id', { id: 1n })}=`, 40004],
      [`after=${cursorOf('id', { id: 1n }).toLowerCase()}`, 40004],
      [`after=${'A'.repeat(5000)}`, 40004],
    ])('a list of plants with %s is refused', async (query, error) => {
      expect(await errorOf(await app.send('GET', `/plants?${query}`))).toBe(error);
    });
  });

  test('a list of plants accepts a tag of 100 characters, and an empty part of the query', async () => {
    await add([1n, '🌱'.repeat(100)]);
    const path = `/plants?tag=${encodeURIComponent('🌱'.repeat(100))}&&limit=5&`;
    expect((await read(path)).ids).toEqual(['1']);
  });

  test('the response to HEAD of a list has the link and no body', async () => {
    await add([1n], [2n]);
    const head = await app.send('HEAD', '/plants?limit=1');
    expect(head.status).toBe(200);
    expect(head.headers.get('link')).toContain('rel="next"');
    expect(await head.text()).toBe('');
  });
});

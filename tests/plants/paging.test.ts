/** The rule of a page of plants, which both engines use. */
import { describe, expect, test } from 'bun:test';
import { int64Max, int64Min } from '../../src/base/int64.ts';
import { type PlantOrder, type PlantPlace, placeIn, startAfter } from '../../src/plants/order.ts';
import { endOfPage, type PlantPage, planPage, rowsOfPlant, takePage, toPage } from '../../src/plants/paging.ts';

const createdAt = '2026-05-01T09:30:00.000Z';
const plant = (id: bigint) => ({ id, name: `n${id}`, createdAt, updatedAt: createdAt });

describe('a plan', () => {
  test.each<[PlantPage, ReturnType<typeof planPage>]>([
    [{ limit: 5 }, { order: 'id', tags: 0, isFiltered: false, start: { id: int64Min }, limit: 5 }],
    [
      { limit: 5, after: { id: 7n } },
      { order: 'id', tags: 0, isFiltered: false, start: { id: 8n }, limit: 5 },
    ],
    [{ limit: 5, after: { id: int64Max } }, undefined],
    [
      { limit: 5, order: '-id', tags: ['a', 'b'] },
      { order: '-id', tags: 2, isFiltered: false, start: { id: int64Max }, limit: 5 },
    ],
    [{ limit: 5, order: '-id', after: { id: int64Min } }, undefined],
    [
      { limit: 5, name: 'n', tags: ['a'] },
      { order: 'id', tags: 1, isFiltered: true, start: { id: int64Min }, limit: 5 },
    ],
    [
      { limit: 5, name: 'n', tags: ['a', 'b'] },
      { order: 'id', tags: 0, isFiltered: true, start: { id: int64Min }, limit: 5 },
    ],
    [
      { limit: 5, order: 'createdAt', after: { id: int64Max, createdAt } },
      { order: 'createdAt', tags: 0, isFiltered: false, start: { id: int64Max, createdAt }, limit: 5 },
    ],
    [
      { limit: 5, order: '-createdAt', tags: ['a'] },
      {
        order: '-createdAt',
        tags: 0,
        isFiltered: true,
        start: { id: int64Max, createdAt: '\u{10ffff}' },
        limit: 5,
      },
    ],
  ])('of %p', (page, plan) => {
    expect(planPage(page)).toEqual(plan);
  });
});

describe('the next page', () => {
  const [a, b] = [
    { id: 1n, createdAt },
    { id: 2n, createdAt },
  ];
  const [x, y] = [
    { id: 8n, createdAt },
    { id: 9n, createdAt },
  ];
  type Case = [
    what: string,
    order: PlantOrder,
    isFiltered: boolean,
    (typeof a)[],
    (typeof a)[],
    PlantPlace | undefined,
  ];
  test.each<Case>([
    ['begins after a full page', 'id', false, [a, b], [], { id: 1n }],
    ['begins after a full page by time', 'createdAt', false, [a, b], [], a],
    ['does not exist without a plant after the page', 'id', false, [a], [], undefined],
    ['does not exist after an empty page', 'id', false, [], [], undefined],
    ['begins after a full page with a filter', 'id', true, [a, b], [x, y], { id: 1n }],
    ['begins after the last plant that was looked at', '-id', true, [a], [x, y], { id: 8n }],
    ['begins after the last one that was looked at if none fits', '-createdAt', true, [], [x, y], x],
    ['does not exist if all plants were looked at', 'id', true, [], [x], undefined],
    ['does not exist if fewer than that exist', 'id', true, [a], [], undefined],
    ['does not depend on what was looked at without a filter', 'id', false, [a], [x, y], undefined],
  ])('%s', (_what, order, isFiltered, listed, scanned, end) => {
    expect(endOfPage({ order, tags: 0, isFiltered }, listed, () => scanned)).toEqual(end);
  });
});

test('a page has as many rows as its limit, and ends if there is none more', () => {
  const plan = { order: 'id', tags: 0, isFiltered: false, start: { id: 1n }, limit: 2 } as const;
  const pageOf = (...ids: bigint[]) => {
    const { json, ...others } = toPage(takePage(plan, ids.map(plant), () => []));
    return { ...others, ids: JSON.parse(new TextDecoder().decode(json)).map(({ id }: { id: number }) => id) };
  };
  expect(pageOf()).toEqual({ items: 0, ids: [], end: undefined });
  expect(pageOf(1n, 2n)).toEqual({ items: 2, ids: [1, 2], end: undefined });
  expect(pageOf(1n, 2n, 3n)).toEqual({ items: 2, ids: [1, 2], end: { id: 2n } });
});

test('a place by id has no time, and an order by time refuses it', () => {
  expect(placeIn('-id', { id: 1n, createdAt })).toEqual({ id: 1n });
  expect(placeIn('createdAt', { id: 1n, createdAt })).toEqual({ id: 1n, createdAt });
  expect(() => startAfter('createdAt', { id: 1n })).toThrow('A place in the order createdAt needs a time.');
});

test('a plant costs more rows by time, and as many as there are tags by id', () => {
  const kind = { tags: 0, isFiltered: false };
  expect(rowsOfPlant({ ...kind, order: 'id' })).toBe(1);
  expect(rowsOfPlant({ ...kind, order: '-id', tags: 3 })).toBe(3);
  expect(rowsOfPlant({ ...kind, order: '-createdAt' })).toBe(5);
});

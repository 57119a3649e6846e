/** The states of the console: what is edited, shown, selected and undone, each as a function without a browser. */
import { describe, expect, test } from 'bun:test';
import { Problem } from '../../console/api/problem.ts';
import { placeOf as placeInLog } from '../../console/live/order.ts';
import { addEntries, type Entry, entriesMax, markOf } from '../../console/log/entry.ts';
import { placeOf } from '../../console/parts/place.ts';
import { commandOf } from '../../console/parts/shortcuts.ts';
import { isChanged, noEdits, reduceEdits } from '../../console/plants/edits.ts';
import { nextStop } from '../../console/plants/grid-keys.ts';
import {
  everything,
  nextSort,
  readListPlace,
  readSearch,
  withFilter,
  writeListPlace,
} from '../../console/plants/list-place.ts';
import type { Plant } from '../../console/plants/members.ts';
import { noRows, type RowEvent, reduceRows } from '../../console/plants/page-rows.ts';
import { isAllSelected, nothing, refresh, select, toggle, unselect } from '../../console/plants/selection.ts';
import { doneMax, inversesOf, remember } from '../../console/plants/undo.ts';

const plantOf = (id: number, members: Partial<Plant> = {}): Plant => ({
  id: BigInt(id),
  name: `n${id}`,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  ...members,
});
const [one, two, three] = [plantOf(1), plantOf(2), plantOf(3)];

describe('the rows that are edited', () => {
  const typed = { name: 'typed', tag: undefined };
  const begin = (plant: Plant, key: number, edits = noEdits) => reduceEdits(edits, { type: 'begin', key, plant });

  test('a row with typed text stays open when another one is opened, and one without closes', () => {
    const first = reduceEdits(begin(one, 1), { type: 'enter', id: 1n, values: typed });
    const second = begin(two, 2, first);
    const third = begin(three, 3, second);
    expect([...third.keys()]).toEqual([1n, 3n]);
    expect(third.get(1n)?.values).toEqual(typed);
  });

  test('opening a row again changes nothing in it', () => {
    const edits = reduceEdits(begin(one, 1), { type: 'enter', id: 1n, values: typed });
    expect(begin(one, 2, edits)).toBe(edits);
  });

  test('a late answer of an earlier edit changes nothing', () => {
    const again = begin(one, 2, reduceEdits(begin(one, 1), { type: 'cancel', id: 1n }));
    const problem = new Problem({ status: 0 });
    for (const action of [
      { type: 'saved', id: 1n, key: 1 },
      { type: 'failed', id: 1n, key: 1, problem },
      { type: 'conflict', id: 1n, key: 1, stored: one },
      { type: 'saved', id: 2n, key: 2 },
    ] as const)
      expect(reduceEdits(again, action)).toBe(again);
    expect(reduceEdits(again, { type: 'saved', id: 1n, key: 2 }).size).toBe(0);
  });

  test('a failure and a conflict keep what was typed, and nothing is typed during a save', () => {
    const open = reduceEdits(begin(one, 1), { type: 'enter', id: 1n, values: typed });
    const saving = reduceEdits(open, { type: 'save', id: 1n });
    expect(reduceEdits(saving, { type: 'enter', id: 1n, values: { name: 'x', tag: 'y' } })).toBe(saving);
    const failed = reduceEdits(saving, { type: 'failed', id: 1n, key: 1, problem: new Problem({ status: 0 }) });
    expect(failed.get(1n)).toMatchObject({ values: typed, isSaving: false, problem: { status: 0 } });
    const stored = plantOf(1, { name: 'theirs' });
    const disputed = reduceEdits(saving, { type: 'conflict', id: 1n, key: 1, stored });
    expect(disputed.get(1n)).toMatchObject({ values: typed, isSaving: false, stored });
    const resolved = reduceEdits(disputed, { type: 'resolve', id: 1n, values: typed });
    expect(resolved.get(1n)).toMatchObject({ plant: stored, values: typed, stored: undefined });
  });

  test('a row is changed if a value differs', () => {
    const edit = begin(one, 1).get(1n);
    if (!edit) throw new Error('nothing is edited');
    expect(isChanged(edit)).toBe(false);
    expect(isChanged({ ...edit, values: { ...edit.values, tag: '' } })).toBe(true);
  });
});

describe('the rows of a page', () => {
  const loaded = reduceRows(noRows, { type: 'loaded', plants: [one, two] });
  const event = (type: string, id: number, members: Partial<RowEvent> = {}): RowEvent => ({
    type: `plant.${type}`,
    id: BigInt(id),
    timestamp: '2026-02-02T00:00:00.000Z',
    ...members,
  });
  const marks = (rows: typeof loaded) => rows.list.map(({ plant, mark }) => [plant.name, mark]);
  const after = (...events: readonly RowEvent[]) => reduceRows(loaded, { type: 'events', events });

  test('a change by others is marked in its place, and a deletion stays there', () => {
    expect(marks(after(event('updated', 2, { name: 'x' }), event('deleted', 1)))).toEqual([
      ['n1', 'deleted'],
      ['x', 'changed'],
    ]);
  });

  test('an added plant is counted once, moves nothing, and no longer counts when it is deleted', () => {
    const added = after(event('created', 3, { name: 'n3' }), event('created', 3, { name: 'n3' }));
    expect([added.list, added.added]).toEqual([loaded.list, new Set([3n])]);
    expect(reduceRows(added, { type: 'events', events: [event('deleted', 3)] }).added.size).toBe(0);
  });

  test('the own change is not marked, also if its event arrives first', () => {
    const own = plantOf(1, { name: 'x', updatedAt: '2026-02-02T00:00:00.000Z' });
    const first = after(event('updated', 1, { name: 'x' }));
    expect(marks(reduceRows(first, { type: 'stored', plant: own }))[0]).toEqual(['x', undefined]);
    const stored = reduceRows(loaded, { type: 'stored', plant: own });
    expect(marks(reduceRows(stored, { type: 'events', events: [event('updated', 1, { name: 'x' })] }))[0]).toEqual([
      'x',
      undefined,
    ]);
  });

  test('an event from before the page was loaded changes nothing', () => {
    const rows = reduceRows(noRows, {
      type: 'loaded',
      plants: [plantOf(1, { name: 'new', updatedAt: '2026-03-03T00:00:00.000Z' })],
    });
    expect(marks(reduceRows(rows, { type: 'events', events: [event('updated', 1, { name: 'old' })] }))).toEqual([
      ['new', undefined],
    ]);
  });

  test('a deleted plant that is created again is shown with its new values', () => {
    expect(marks(after(event('deleted', 1), event('created', 1, { name: 'n1', tag: 't' })))[0]).toEqual([
      'n1',
      'changed',
    ]);
  });

  const picture = { type: 'image/png', width: 1, height: 1, bytes: 1, digest: 'a' } as const;
  const pictureOf = (rows: typeof loaded) => rows.list.map(({ plant, mark }) => [plant.picture?.digest, mark])[0];

  test('a picture that others put is shown and marked, and one that they remove is gone', () => {
    const put = event('picture.updated', 1, { picture });
    expect(pictureOf(after(put))).toEqual(['a', 'changed']);
    expect(marks(after(put))[0]).toEqual(['n1', 'changed']);
    expect(pictureOf(after(put, event('picture.deleted', 1, { picture })))).toEqual([undefined, 'changed']);
  });

  test('the own picture is not marked', () => {
    const rows = reduceRows(loaded, { type: 'stored', plant: plantOf(1, { picture }) });
    expect(pictureOf(reduceRows(rows, { type: 'events', events: [event('picture.updated', 1, { picture })] }))).toEqual(
      ['a', undefined],
    );
  });

  test('the picture stays when others change the plant, and a plant that is created again has none', () => {
    const put = event('picture.updated', 1, { picture });
    expect(pictureOf(after(put, event('updated', 1, { name: 'x' })))).toEqual(['a', 'changed']);
    expect(pictureOf(after(put, event('deleted', 1), event('created', 1, { name: 'x' })))).toEqual([
      undefined,
      'changed',
    ]);
  });

  test('a tag that others remove is gone', () => {
    const rows = reduceRows(noRows, { type: 'loaded', plants: [plantOf(1, { tag: 't' })] });
    expect(
      reduceRows(rows, { type: 'events', events: [event('updated', 1, { name: 'n1' })] }).list[0]?.plant.tag,
    ).toBeUndefined();
  });
});

test('a page is selected and unselected as a whole, and stays selected on another page', () => {
  const some = select(nothing, [one]);
  expect([isAllSelected(some, [one, two]), isAllSelected(some, [one]), isAllSelected(some, [])]).toEqual([
    false,
    true,
    false,
  ]);
  const page = toggle(some, [one, two]);
  expect([...page.keys()]).toEqual([1n, 2n]);
  expect([...toggle(page, [one, two]).keys()]).toEqual([]);
  expect([...unselect(page, [two]).keys()]).toEqual([1n]);
  const newer = plantOf(1, { name: 'newer' });
  expect(refresh(page, [newer, three]).get(1n)).toBe(newer);
  expect(refresh(page, [three])).toBe(page);
});

test('what was done is undone backwards, with the values that the plants must still have', () => {
  const changed = plantOf(1, { name: 'after', tag: 't' });
  const inverses = inversesOf({
    title: 'all',
    steps: [
      { kind: 'created', plant: two },
      { kind: 'changed', before: one, after: changed },
      { kind: 'deleted', plant: three },
    ],
  });
  expect(inverses).toEqual([
    { kind: 'create', plant: three },
    { kind: 'change', plant: one, seen: { name: 'after', tag: 't' }, values: { name: 'n1', tag: undefined } },
    { kind: 'delete', plant: two, seen: { name: 'n2', tag: undefined } },
  ]);
  expect(remember([], { title: 'nothing', steps: [] })).toEqual([]);
  const many = Array.from({ length: doneMax + 1 }, (_, index) => ({
    title: `${index}`,
    steps: [{ kind: 'created', plant: one } as const],
  }));
  const kept = many.reduce(remember, [] as ReturnType<typeof remember>);
  expect([kept.length, kept[0]?.title, kept.at(-1)?.title]).toEqual([doneMax, '1', `${doneMax}`]);
});

describe('the address', () => {
  test.each([
    ['', {}],
    ['search=lyr&tag=a&tag=b&sort=-id', { search: 'lyr', tags: ['a', 'b'], sort: '-id' }],
    ['after=c1&page=3&open=-9223372036854775808', { after: 'c1', page: 3, open: '-9223372036854775808' }],
    ['tag=', { tags: [''] }],
  ] as const)('%p is read and written', (query, expected) => {
    const place = readListPlace(query);
    expect(place).toEqual({ ...everything, ...expected, tags: [...('tags' in expected ? expected.tags : [])] });
    expect(writeListPlace(place)).toBe(query);
  });

  test.each([
    ['sort=constructor&page=-1&open=1;2&after=', everything],
    ['page=7', everything],
    ['%', everything],
    ['tag=a&tag=a', { ...everything, tags: ['a'] }],
    [
      `${'tag=1&tag=2&tag=3&tag=4&tag=5&tag=6&'}tag=7&tag=8&tag=9&tag=10&tag=11`,
      { ...everything, tags: Array.from({ length: 10 }, (_, n) => `${n + 1}`) },
    ],
  ])('%p has what is known of it', (query, expected) => {
    expect(readListPlace(query)).toEqual(expected);
  });

  test('another filter or order begins with the first page', () => {
    const place = { ...everything, after: 'c', page: 4, open: '1' };
    expect(withFilter(place, { search: 'x' })).toEqual({ ...everything, search: 'x', open: '1' });
  });

  test.each([
    ['#plants?a=b?c', null, { view: 'plants', query: 'a=b?c', trail: [] }],
    ['', { trail: ['x', 1] }, { view: '', query: '', trail: ['x'] }],
    ['#%', 'state', { view: '%', query: '', trail: [] }],
    ['#log', { trail: 'x' }, { view: 'log', query: '', trail: [] }],
  ])('the fragment %p with the state %p is %p', (hash, state, expected) => {
    expect(placeOf(hash, state)).toEqual(expected);
  });
});

test.each([
  ['lyrata', { search: 'lyrata' }],
  [' x ', { search: 'x' }],
  ['tag:shade', { tag: 'shade' }],
  [' TAG: ', { tag: '' }],
  ['vintage:1', { search: 'vintage:1' }],
])('the search %p means %p', (text, expected) => {
  expect(readSearch(text)).toEqual(expected);
});

test('a heading sorts upwards, then downwards, and one without an order does not sort', () => {
  expect([
    nextSort('id', 'id'),
    nextSort('-id', 'id'),
    nextSort('id', 'createdAt'),
    nextSort('id', 'name'),
    nextSort('name', 'name'),
    nextSort('id', 'updatedAt'),
  ]).toEqual(['-id', 'id', 'createdAt', 'name', '-name', undefined]);
});

test.each([
  ['ArrowDown', { row: 0, index: 2 }, { row: 1, index: 1 }],
  ['ArrowDown', { row: 2, index: 0 }, undefined],
  ['ArrowUp', { row: 0, index: 0 }, undefined],
  ['ArrowUp', { row: 2, index: 1 }, { row: 1, index: 1 }],
  ['ArrowRight', { row: 0, index: 2 }, undefined],
  ['ArrowLeft', { row: 0, index: 2 }, { row: 0, index: 1 }],
  ['ArrowLeft', { row: 0, index: 0 }, undefined],
  ['Home', { row: 0, index: 2 }, { row: 0, index: 0 }],
  ['End', { row: 0, index: 0 }, { row: 0, index: 2 }],
  ['a', { row: 0, index: 0 }, undefined],
])('in rows of 3, 2 and 3 stops, %s leads from %p to %p', (key, from, expected) => {
  expect(nextStop([3, 2, 3], from, key)).toEqual(expected);
});

test('a key is a command only outside of fields, and a single key only if the user wants it', () => {
  const press = (key: string, held = {}) => ({ key, ctrlKey: false, metaKey: false, altKey: false, ...held });
  expect(commandOf(press('/'), false, true)).toBe('search');
  expect(commandOf(press('/'), true, true)).toBeUndefined();
  expect(commandOf(press('/'), false, false)).toBeUndefined();
  expect(commandOf(press('n', { altKey: true }), false, true)).toBeUndefined();
  expect(commandOf(press('n', { ctrlKey: true }), false, true)).toBeUndefined();
  expect(commandOf(press('z', { metaKey: true }), false, false)).toBe('undo');
  expect(commandOf(press('constructor'), false, true)).toBeUndefined();
});

describe('the log', () => {
  const eventOf = (sequence: number, timestamp = `2026-01-01T00:00:0${sequence}.000Z`): Entry => ({
    key: `${sequence}`,
    event: { type: 'plant.deleted', id: 1n, eventId: `${sequence}`, sequence: BigInt(sequence), timestamp } as never,
  });
  const keys = (entries: readonly Entry[]) => entries.map(({ key }) => key);

  test('each event is there once, in the order of the log, whatever the order in which they arrive', () => {
    expect(keys(addEntries([], [eventOf(2), eventOf(1), eventOf(3), eventOf(2)]))).toEqual(['3', '2', '1']);
  });

  test('a mark stays between the events before and after it', () => {
    const lost = markOf('lost', new Date('2026-01-01T00:00:02.500Z'));
    const entries = addEntries(addEntries([], [eventOf(1), eventOf(2)]), [lost]);
    expect(keys(addEntries(entries, [eventOf(3), eventOf(4)]))).toEqual(['4', '3', lost.key, '2', '1']);
  });

  test('it has a maximum', () => {
    const many = Array.from({ length: entriesMax + 5 }, (_, index) => eventOf(index, '2026-01-01T00:00:00.000Z'));
    expect(keys(addEntries([], many))).toHaveLength(entriesMax);
    expect(keys(addEntries([], many))[0]).toBe(`${entriesMax + 4}`);
  });

  test.each([
    [undefined, 7n, 'next'],
    [6n, 7n, 'next'],
    [7n, 7n, 'known'],
    [5n, 7n, 'later'],
  ] as const)('after %p, the event %p is %p', (last, sequence, expected) => {
    expect(placeInLog(last, sequence)).toBe(expected);
  });
});

/** How the console changes a plant: only what the user has changed, and never over another person's change. */
import { describe, expect, test } from 'bun:test';
import { Problem } from '../../console/api/problem.ts';
import type { PlantAccess } from '../../console/plants/access.ts';
import { changePlant, deletePlant } from '../../console/plants/change.ts';
import { conflicts, type Plant } from '../../console/plants/members.ts';

const plant: Plant = {
  id: 1n,
  name: 'Fern',
  tag: 'shade',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};
const seen = { name: 'Fern', tag: 'shade' };

/** A service with one plant. `between` changes it after each read. */
const startService = (
  first: Plant | undefined,
  between: (count: number) => Partial<Plant> | undefined = () => undefined,
) => {
  let stored = first;
  let version = 1;
  const sent: unknown[] = [];
  let reads = 0;
  const check = (match: string | undefined): Plant => {
    if (!stored) throw new Problem({ status: 404 });
    if (match !== undefined && match !== `"${version}"`) throw new Problem({ status: 412 });
    return stored;
  };
  const set = (next: Plant | undefined): void => {
    stored = next;
    version += 1;
  };
  const access: PlantAccess = {
    read: async () => {
      const read = { plant: check(undefined), match: `"${version}"` };
      reads += 1;
      const change = between(reads);
      if (change) set({ ...read.plant, ...change });
      return read;
    },
    change: async (_id, patch, match) => {
      const before = check(match);
      sent.push(patch);
      const { name, tag } = { ...before, ...patch };
      const { id, createdAt, updatedAt } = before;
      const next = { id, name: `${name}`, ...(tag !== null && tag !== undefined && { tag }), createdAt, updatedAt };
      set(next);
      return next;
    },
    remove: async (_id, match) => {
      check(match);
      sent.push('delete');
      set(undefined);
    },
    create: async () => {},
  };
  return { access, sent, get: () => stored };
};

describe('a change', () => {
  test('sends only the members that differ', async () => {
    const { access, sent } = startService(plant);
    expect(await changePlant(access, 1n, seen, { ...seen, tag: undefined })).toMatchObject({
      kind: 'done',
      others: [],
    });
    expect(sent).toEqual([{ tag: null }]);
  });

  test('keeps the change of another member by somebody else, and says so', async () => {
    const { access, sent, get } = startService({ ...plant, tag: 'sun' });
    const change = await changePlant(access, 1n, seen, { ...seen, name: 'Moss' });
    expect(change).toMatchObject({ kind: 'done', others: ['tag'] });
    expect(sent).toEqual([{ name: 'Moss' }]);
    expect(get()).toMatchObject({ name: 'Moss', tag: 'sun' });
  });

  test('of a member that somebody else has changed too is a conflict, and nothing is sent', async () => {
    const { access, sent } = startService({ ...plant, name: 'Fig' });
    const change = await changePlant(access, 1n, seen, { ...seen, name: 'Moss' });
    expect(change).toMatchObject({ kind: 'conflict', stored: { name: 'Fig' } });
    expect(sent).toEqual([]);
  });

  test('between the read and the change is noticed: another member stays, and the same one is a conflict', async () => {
    const other = startService(plant, (count) => (count === 1 ? { tag: 'sun' } : undefined));
    await changePlant(other.access, 1n, seen, { ...seen, name: 'Moss' });
    expect(other.get()).toMatchObject({ name: 'Moss', tag: 'sun' });
    const same = startService(plant, (count) => (count === 1 ? { name: 'Fig' } : undefined));
    expect((await changePlant(same.access, 1n, seen, { ...seen, name: 'Moss' })).kind).toBe('conflict');
    expect(same.get()).toMatchObject({ name: 'Fig' });
  });

  test('of a plant that changes each time is given up', async () => {
    const { access } = startService(plant, (count) => ({ tag: `${count}` }));
    const change = changePlant(access, 1n, seen, { ...seen, name: 'Moss' });
    expect(await change.catch(({ status }) => status)).toBe(412);
  });

  test('that was made already, such as by a request whose response was lost, sends nothing', async () => {
    const { access, sent } = startService({ ...plant, name: 'Moss' });
    expect(await changePlant(access, 1n, seen, { ...seen, name: 'Moss' })).toMatchObject({ kind: 'done', others: [] });
    expect(sent).toEqual([]);
  });

  test('without an entity tag, which a proxy has removed, is compared with what is stored', async () => {
    const { access, get } = startService(plant);
    const without: PlantAccess = {
      ...access,
      read: async (id) => ({ ...(await access.read(id)), match: undefined }),
    };
    await changePlant(without, 1n, seen, { ...seen, name: 'Moss' });
    expect(get()).toMatchObject({ name: 'Moss' });
    expect((await changePlant(without, 1n, seen, { ...seen, name: 'Fig' })).kind).toBe('conflict');
  });
});

describe('a deletion', () => {
  test('needs the plant as it was seen', async () => {
    const { access, get } = startService({ ...plant, tag: 'sun' });
    expect(await deletePlant(access, 1n, seen)).toMatchObject({ kind: 'conflict', stored: { tag: 'sun' } });
    expect(get()).toBeDefined();
    expect(await deletePlant(access, 1n, { ...seen, tag: 'sun' })).toMatchObject({
      kind: 'done',
      before: { tag: 'sun' },
    });
    expect(get()).toBeUndefined();
  });

  test('of a plant that changes between the read and the deletion is a conflict', async () => {
    const { access, get } = startService(plant, (count) => (count === 1 ? { tag: 'sun' } : undefined));
    expect((await deletePlant(access, 1n, seen)).kind).toBe('conflict');
    expect(get()).toBeDefined();
  });
});

test.each([
  [{ name: 'a' }, { name: 'b' }, { name: 'c' }, ['name']],
  [{ name: 'a' }, { name: 'b' }, { name: 'b' }, []],
  [{ name: 'a' }, { name: 'b' }, { name: 'a' }, []],
  [{ name: 'a' }, { name: 'a' }, { name: 'c' }, []],
  [{ name: 'a', tag: '' }, { name: 'a' }, { name: 'a', tag: 't' }, ['tag']],
])('from %p to %p and to %p, the conflicts are %p', (base, mine, theirs, expected) => {
  const values = (one: { name: string; tag?: string }) => ({ tag: undefined, ...one });
  expect(conflicts(values(base), values(mine), values(theirs))).toEqual(expected as never);
});

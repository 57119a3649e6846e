import { describe, expect, test } from 'bun:test';
import { recordImport, replaceByImport } from '../../src/plants/import.ts';
import { type PlantRecord, patchPlant, versionOf } from '../../src/plants/plant.ts';

const record: PlantRecord = {
  id: 1n,
  name: 'n',
  tag: 't',
  createdAt: '2026-05-01T00:00:00.000Z',
  updatedAt: '2026-05-01T00:00:00.000Z',
};

test('any change to a record changes its version, and nothing else does', () => {
  const { tag: _, ...untagged } = record;
  const others: PlantRecord[] = [
    { ...record, id: 2n },
    { ...record, id: -1n },
    { ...record, name: 'm' },
    { ...record, tag: '' },
    untagged,
    { ...record, name: 'n,t', tag: '' },
    { ...record, createdAt: '2026-05-01T00:00:00.001Z' },
    { ...record, updatedAt: '2026-05-01T00:00:00.001Z' },
  ];
  const versions = new Set([record, ...others].map(versionOf));
  expect(versions.size).toBe(others.length + 1);
  expect(versionOf({ ...record })).toBe(versionOf(record));
});

test.each<[string, Partial<PlantRecord>]>([
  ['f7gR094ZbrlBrah5', { id: 1n, name: 'n' }],
  ['ILDxj_FDyNSIRvti', { id: -(2n ** 63n), name: '', tag: '' }],
])('the version %s is the same in every release, so that the entity tags of clients stay valid', (version, members) => {
  const times = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' };
  expect(versionOf({ id: 1n, name: 'n', ...members, ...times })).toBe(version);
});

describe('the update time of a record is not before its creation time', () => {
  const early = '2020-01-01T00:00:00.000Z';
  const late = '2030-01-01T00:00:00.000Z';
  const now = new Date('2025-01-01T00:00:00.000Z');
  const plant = { id: 1n, name: 'm' };

  test('the update time is not before the creation time when the clock was set back before a patch', () => {
    expect(patchPlant(record, { name: 'm' }, now).updatedAt).toBe(record.updatedAt);
    expect(patchPlant(record, { name: 'm' }, new Date(late)).updatedAt).toBe(late);
  });

  test.each([
    [{}, now.toISOString(), now.toISOString()],
    [{ createdAt: early }, early, early],
    [{ updatedAt: early }, early, early],
    [{ createdAt: early, updatedAt: late }, early, late],
  ])(
    'the update time is not before the creation time after an import with the times %j',
    (times, createdAt, updatedAt) => {
      expect(recordImport({ ...plant, ...times }, now)).toEqual({ ...plant, createdAt, updatedAt });
    },
  );

  test.each([
    [{}, record.createdAt, record.createdAt],
    [{ createdAt: early }, early, now.toISOString()],
    [{ createdAt: late }, late, late],
    [{ updatedAt: early }, early, early],
    [{ updatedAt: late }, record.createdAt, late],
    [{ createdAt: early, updatedAt: late }, early, late],
  ])(
    'the update time is not before the creation time after a replacement with the times %j',
    (times, createdAt, updatedAt) => {
      expect(replaceByImport(record, { ...plant, ...times }, now)).toEqual({ ...plant, createdAt, updatedAt });
    },
  );
});

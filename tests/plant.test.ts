import { expect, test } from 'bun:test';
import { type PlantRecord, versionOf } from '../src/domain/plant.ts';

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

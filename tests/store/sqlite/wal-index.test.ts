/** Where the wal-index is found in memory; what follows from it stands in `database-file.test.ts`. */
import { expect, test } from 'bun:test';
import { findMapping } from '../../../src/store/sqlite/wal-index.ts';

const maps = String.raw`55d0c0000000-55d0c0200000 r--p 00000000 fe:00 1048 /usr/bin/plant-store
7f0000000000-7f0000008000 rw-s 00008000 fe:00 77 /data/plants.sqlite-shm
7f0000010000-7f0000018000 rw-s 00000000 fe:00 78 /data/q /data/plants.sqlite-shm
7f0000020000-7f0000028000 rw-s 00000000 fe:00 77                         /data/plants.sqlite-shm
7f0000030000-7f0000038000 rw-s 00008000 fe:00 79 /data/a 00000000 b/plants.sqlite-shm
7f0000040000-7f0000048000 rw-s 00000000 fe:00 79 /data/a 00000000 b/plants.sqlite-shm
7f0000050000-7f0000058000 rw-s 00000000 fe:00 80 /data/old.sqlite-shm (deleted)
7f0000060000-7f0000068000 rw-s 00000000 fe:00 81 /data/a\012b-shm
7f0000070000-7f0000078000 rw-p 00000000 00:00 0
`;

test.each([
  ['/data/plants.sqlite-shm', 0x7f0000020000],
  ['/data/q /data/plants.sqlite-shm', 0x7f0000010000],
  ['/data/a 00000000 b/plants.sqlite-shm', 0x7f0000040000],
  ['/data/old.sqlite-shm', undefined],
  ['plants.sqlite-shm', undefined],
  ['/data/a\nb-shm', undefined],
  [String.raw`/data/a\012b-shm`, undefined],
  ['', undefined],
])('the beginning of %p', (file, address) => {
  expect(findMapping(maps, file)).toBe(address);
});

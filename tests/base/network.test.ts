import { expect, test } from 'bun:test';
import { isLoopbackHost } from '../../src/base/network.ts';

test.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.255.1.9', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1'])(
  'a server that listens on %s is reachable only from this machine',
  (host) => expect(isLoopbackHost(host)).toBe(true),
);

test.each([
  ['0.0.0.0'],
  ['::'],
  ['::0'],
  ['0'],
  ['127.1'],
  ['2130706433'],
  ['128.0.0.1'],
  ['10.0.0.1'],
  ['192.168.1.20'],
  ['::2'],
  ['::ffff:10.0.0.1'],
  ['::ffff:0.0.0.0'],
  ['fe80::1'],
  ['fe80::1%lo'],
  ['[::1]'],
  ['plants.example'],
  ['localhost.plants.example'],
  ['127.0.0.1.plants.example'],
  [''],
])('a server that listens on "%s" may be reachable from other machines', (host) => {
  expect(isLoopbackHost(host)).toBe(false);
});

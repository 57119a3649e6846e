import { expect, test } from 'bun:test';
import { readHost, toUrlHost } from '../../src/base/host.ts';

test.each([
  ['::1', '[::1]'],
  ['[::1]', '[::1]'],
  ['fe80::1%eth0', '[fe80::1%25eth0]'],
  ['[fe80::1%eth0]', '[fe80::1%25eth0]'],
  ['10.0.0.1', '10.0.0.1'],
  ['plants.example', 'plants.example'],
])('the host %s is %s in a URL', (text, inUrl) => expect(toUrlHost(readHost(text) ?? '')).toBe(inUrl));

test.each([
  '',
  ' ',
  '[]',
  '[::1',
  '::1]',
  '[10.0.0.1]',
  '[plants.example]',
  '*',
  'a/b',
  'a b',
  'a%62',
  '10.0.0.256',

  'a.-b',
])('"%s" can be neither a name nor an address', (text) => expect(readHost(text)).toBeUndefined());

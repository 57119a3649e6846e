import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { createClientAddress, isNetwork, toNetwork } from '../../src/base/network.ts';

/** Returns what a limit by address counts. */
const createLimitedClient = (trustedProxies: readonly string[]) => {
  const clientAddress = createClientAddress(trustedProxies);
  return (peer: string | undefined, forwardedFor: string | null): string =>
    toNetwork(clientAddress(peer, forwardedFor) ?? 'unknown');
};

const proxies = ['10.0.0.0/8', '192.0.2.7', 'fd00::/8'];

test.each<[peer: string | undefined, forwardedFor: string | null, client: string]>([
  // The peer is not a proxy, so its header is ignored.
  ['203.0.113.1', null, '203.0.113.1'],
  ['203.0.113.1', '198.51.100.1', '203.0.113.1'],
  ['203.0.113.1', '10.0.0.1', '203.0.113.1'],
  // The peer is a proxy.
  ['10.0.0.1', null, '10.0.0.1'],
  ['10.0.0.1', '', '10.0.0.1'],
  ['10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['192.0.2.7', '198.51.100.1', '198.51.100.1'],
  ['192.0.2.8', '198.51.100.1', '192.0.2.8'],
  ['fd00::1', '198.51.100.1', '198.51.100.1'],
  ['::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
  // The proxy appends an address. The values before it come from the client, and are ignored.
  ['10.0.0.1', '127.0.0.1, 198.51.100.1', '198.51.100.1'],
  ['10.0.0.1', '10.0.0.2, 198.51.100.1', '198.51.100.1'],
  ['10.0.0.1', 'nonsense,198.51.100.1', '198.51.100.1'],
  // A chain of two proxies.
  ['10.0.0.1', '203.0.113.9, 198.51.100.1, 10.0.0.2', '198.51.100.1'],
  ['10.0.0.1', '198.51.100.1,\t192.0.2.7 ,  10.0.0.2', '198.51.100.1'],
  ['10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  // If a value is not an address, the client is the proxy that has sent the value.
  ['10.0.0.1', 'unknown', '10.0.0.1'],
  ['10.0.0.1', '198.51.100.1, ', '10.0.0.1'],
  ['10.0.0.1', '198.51.100.1, unknown, 10.0.0.2', '10.0.0.2'],
  ['10.0.0.1', '198.51.100.1:4711', '10.0.0.1'],
  ['10.0.0.1', '[2001:db8::1]', '10.0.0.1'],
  ['10.0.0.1', '198.51.100.01', '10.0.0.1'],
  // An IPv6 client is its /64 network. An IPv4-mapped IPv6 address is the IPv4 address.
  ['2001:db8:0:1::5', null, '2001:db8:0:1::/64'],
  ['2001:DB8::1:0:0:0:1', null, '2001:db8:0:1::/64'],
  ['2001:db8:1:2:3:4:5:6', null, '2001:db8:1:2::/64'],
  ['::1', null, '0:0:0:0::/64'],
  ['::', null, '0:0:0:0::/64'],
  ['fe80::1%eth0', null, 'fe80:0:0:0::/64'],
  ['::ffff:203.0.113.1', null, '203.0.113.1'],
  ['::ffff:cb00:7101', null, '203.0.113.1'],
  ['0:0:0:0:0:FFFF:203.0.113.1', null, '203.0.113.1'],
  ['0:0::0:0:0.0.0.0', null, '0:0:0:0::/64'],
  ['1:2:3:4:5:6:192.0.2.1', null, '1:2:3:4::/64'],
  ['64:ff9b::203.0.113.1', null, '64:ff9b:0:0::/64'],
  ['10.0.0.1', '::ffff:198.51.100.1', '198.51.100.1'],
  ['10.0.0.1', '2001:db8::1', '2001:db8:0:0::/64'],
  ['10.0.0.1', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
  // The address of the peer is unknown.
  [undefined, null, 'unknown'],
  [undefined, '198.51.100.1', 'unknown'],
])('a request from the peer %p with X-Forwarded-For %p has the client address %s', (peer, forwardedFor, client) => {
  expect(createLimitedClient(proxies)(peer, forwardedFor)).toBe(client);
});

test('the address of an IPv6 client is exact, and that of an unknown one is undefined', () => {
  const clientAddress = createClientAddress(proxies);
  expect(clientAddress('2001:db8:0:1::5', null)).toBe('2001:db8:0:1::5');
  expect(clientAddress('fd00::1', 'fe80::1%eth0')).toBe('fe80::1');
  expect(clientAddress(undefined, '198.51.100.1')).toBeUndefined();
});

test('X-Forwarded-For is ignored when no proxy is trusted', () => {
  const clientAddress = createLimitedClient([]);
  expect(clientAddress('127.0.0.1', '198.51.100.1')).toBe('127.0.0.1');
  expect(clientAddress('::1', '198.51.100.1')).toBe('0:0:0:0::/64');
});

test('an IPv4-mapped IPv6 network trusts the same proxies as the IPv4 network', () => {
  const clientAddress = createLimitedClient(['::ffff:10.0.0.0/104']);
  expect(clientAddress('10.1.2.3', '198.51.100.1')).toBe('198.51.100.1');
  expect(clientAddress('11.1.2.3', '198.51.100.1')).toBe('11.1.2.3');
});

test('any text before the address that the proxy appends is ignored, and causes no error', () => {
  const clientAddress = createLimitedClient(proxies);
  const parts = fc.oneof(fc.string(), fc.ipV4(), fc.ipV6(), fc.constantFrom('10.0.0.1', ',', '%', '::ffff:'));
  fc.assert(
    fc.property(fc.array(parts), (spoofed) => {
      expect(clientAddress('10.0.0.1', `${spoofed.join()},198.51.100.1`)).toBe('198.51.100.1');
      expect(clientAddress('203.0.113.1', spoofed.join())).toBe('203.0.113.1');
      expect(clientAddress('10.0.0.1', spoofed.join())).toMatch(/^[\da-f.:]+(\/64)?$/);
    }),
  );
});

test('all addresses in an IPv6 /64 network are one client, in any notation, and other addresses are not', () => {
  const clientAddress = createLimitedClient([]);
  const groups = fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(groups, groups, (one, other) => {
      const text = (numbers: number[]): string => numbers.map((number) => number.toString(16)).join(':');
      const client = clientAddress(text(one), null);
      expect(client).toBe(`${text(one.slice(0, 4))}::/64`);
      expect(
        clientAddress(new URL(`http://[${text([...one.slice(0, 4), ...other.slice(4)])}]`).hostname.slice(1, -1), null),
      ).toBe(client);
      expect(clientAddress(text([(one[0] ?? 0) ^ 1, ...one.slice(1)]), null)).not.toBe(client);
    }),
  );
});

test.each(['10.0.0.1', '10.0.0.0/8', '10.0.0.0/32', '0.0.0.0/1', '::1', 'fd00::/8', 'fd00::/128', '::ffff:10.0.0.1'])(
  '%s is a valid network',
  (text) => {
    expect(isNetwork(text)).toBe(true);
  },
);

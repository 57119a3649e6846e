/**
 * Webhooks must not send requests into the network of the service. Each invalid target is refused when a webhook is
 * created, and again before each connection, since a name can resolve to any address at that time.
 */
import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test';
import { isPublicAddress } from '../../src/base/network.ts';
import { createPost } from '../../src/sender/attempt.ts';
import { faultOfUrl } from '../../src/webhooks/webhook.ts';
import { asJson, createTestApp, errorOf, type TestApp } from '../support/app/app.ts';

/** Addresses that are not public, with their kinds. */
const addresses: [string, string][] = [
  ['this host', '0.0.0.0'],
  ['this network', '0.1.2.3'],
  ['private', '10.0.0.1'],
  ['private', '172.16.0.1'],
  ['the last of a private range', '172.31.255.255'],
  ['private', '192.168.1.1'],
  ['carrier-grade NAT', '100.64.0.1'],
  ['metadata service of Alibaba Cloud', '100.100.100.200'],
  ['loopback', '127.0.0.1'],
  ['the last loopback address', '127.255.255.254'],
  ['metadata service of most clouds', '169.254.169.254'],
  ['metadata service of containers', '169.254.170.2'],
  ['metadata service of Azure', '168.63.129.16'],
  ['metadata service of Oracle Cloud', '192.0.0.192'],
  ['documentation', '192.0.2.1'],
  ['documentation', '198.51.100.1'],
  ['documentation', '203.0.113.1'],
  ['6to4 relay', '192.88.99.1'],
  ['benchmarks', '198.18.0.1'],
  ['multicast', '224.0.0.1'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['IPv6 unspecified', '::'],
  ['IPv6 loopback', '::1'],
  ['IPv4-compatible', '::127.0.0.1'],
  ['IPv4-mapped loopback', '::ffff:127.0.0.1'],
  ['IPv4-mapped private', '::ffff:10.0.0.1'],
  ['IPv4-mapped in hexadecimal', '::ffff:a9fe:a9fe'],
  ['IPv4-mapped public', '::ffff:8.8.8.8'],
  ['IPv4-translated', '::ffff:0:127.0.0.1'],
  ['NAT64', '64:ff9b::7f00:1'],
  ['local NAT64', '64:ff9b:1::1'],
  ['discard', '100::1'],
  ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ['documentation', '2001:db8::1'],
  ['6to4 of loopback', '2002:7f00:1::1'],
  ['documentation', '3fff::1'],
  ['segment routing', '5f00::1'],
  ['unique local', 'fc00::1'],
  ['metadata service of AWS', 'fd00:ec2::254'],
  ['link-local', 'fe80::1'],
  ['site-local', 'fec0::1'],
  ['IPv6 multicast', 'ff02::1'],
];

/** Other forms of these addresses, and names that are not public. */
const hosts: [string, string][] = [
  ['one decimal number', '2130706433'],
  ['octal', '0177.0.0.1'],
  ['hexadecimal', '0x7f000001'],
  ['mixed', '0x7f.1'],
  ['two parts', '127.1'],
  ['full-width digits', '１２７.０.０.１'],
  ['circled digits', '①⑦②.①⑥.⓪.①'],
  ['percent-encoded', '%31%32%37.0.0.1'],
  ['a trailing dot', '127.0.0.1.'],
  ['localhost', 'localhost'],
  ['localhost in capitals', 'LOCALHOST'],
  ['localhost with a trailing dot', 'localhost.'],
  ['a subdomain of localhost', 'a.localhost'],
  ['a name without a dot', 'intranet'],
  ['mDNS', 'printer.local'],
  ['metadata service of Google Cloud', 'metadata.google.internal'],
  ['a home network', 'router.home.arpa'],
  ['the domain for tests', 'a.test'],
  ['the domain for invalid names', 'a.invalid'],
  ['the domain of Tor', 'a.onion'],
  ['the domain for other name systems', 'a.alt'],
  ['the domain for examples', 'a.example'],
  ['a reserved domain without a subdomain', 'home.arpa'],
  ['an empty label at the end', 'localhost..'],
  ['an empty label inside', 'a..example.com'],
  ['only empty labels', '..'],
];

const literals = addresses.map(([what, address]): [string, string] => [
  what,
  `https://${address.includes(':') ? `[${address}]` : address}`,
]);

/** Other invalid URLs. */
const urls: [string, string][] = [
  ['http', 'http://example.com/'],
  ['no scheme', 'example.com/hook'],
  ['a path', '/hook'],
  ['an empty string', ''],
  ['a file URL', 'file:///etc/passwd'],
  ['a data URL', 'data:text/plain,x'],
  ['a web socket', 'wss://example.com/'],
  ['gopher', 'gopher://example.com/'],
  ['a user', 'https://user@example.com/'],
  ['a user and a password', 'https://user:secret@example.com/'],
  ['a private host after a user', 'https://example.com@127.0.0.1/'],
  ['white space before', ' https://example.com/'],
  ['a line break in it', 'https://exam\nple.com/'],
  ['the port 0', 'https://example.com:0/'],
  ['a pattern as a host', 'https://*.example.com/'],
  ['an empty label in the host', 'https://a..example.com/'],
  ['a label that is too long', `https://${'a'.repeat(64)}.example.com/`],
  ['an address without brackets', 'https://2a00::1/'],
  ['an address with a zone', 'https://[fe80::1%25eth0]/'],
  ['the port 0 in other digits', 'https://example.com:00000'],
  ['a port above 65535', 'https://example.com:65536/'],
  ['a negative port', 'https://example.com:-1/'],
  ['a port that is a name', 'https://example.com:https/'],
  ['no host', 'https:///hook'],
  ['no slashes', 'https:example.com'],
  ['one slash', 'https:/example.com'],
  ['backslashes', String.raw`https:\\example.com`],
  ['an empty user', 'https://@example.com/'],
  ['an empty user and password', 'https://:@example.com/'],
  ['only a password', 'https://:secret@example.com/'],
  ['a name that is not in ASCII', 'https://пример.рф/'],
  ['a path that is not in ASCII', 'https://example.com/ü'],
  ['an invalid percent-encoding', 'https://example.com/%zz'],
  ['brackets and quotes', 'https://example.com/<"{}|^`'],
  ['a control character', 'https://example.com/\u0001'],
  ['a control character for right-to-left text', 'https://example.com/\u202e'],
];

const targets = [...literals, ...hosts.map(([what, host]): [string, string] => [what, `https://${host}`]), ...urls];

describe('creating a webhook', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp();
  });

  const post = (url: string): Promise<Response> =>
    app.send('POST', '/webhooks', { headers: asJson, body: JSON.stringify({ url }) });

  test.each(targets)('a webhook is refused because of its target (%s): %s', async (_what, url) => {
    expect(await errorOf(await post(url))).toBe(40001);
  });

  test('a webhook whose URL is refused is not stored', async () => {
    expect(targets.length).toBeGreaterThanOrEqual(40);
    expect(await app.store.webhooks.list()).toEqual([]);
  });

  test.each([
    'https://example.com',
    'https://example.com./hook',
    'https://example.com:8443/hook?a=b#c',
    'https://example.com:65535/',
    'https://example.com:/',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]/',
    'https://172.15.255.255/',
    'https://172.32.0.0/',
    'https://xn--e1afmkfd.xn--p1ai/',
    'https://example.com/%D1%85?a=%20#%20',
    "https://example.com/-._~:/?#[]@!$&'()*+,;=",
    'https://localhost.example.com/',
  ])('a webhook for %s is created, with the URL unchanged', async (url) => {
    const response = await post(url);
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ url });
  });
});

describe('connecting to a target', () => {
  const fetching = spyOn(globalThis, 'fetch');
  let connections = 0;
  const listener = Bun.listen({
    hostname: '0.0.0.0',
    port: 0,
    socket: {
      open: () => {
        connections += 1;
      },
      data: () => {},
    },
  });
  afterAll(() => {
    fetching.mockRestore();
    listener.stop(true);
  });

  const attempt = async (url: string, lookUp?: (host: string) => Promise<string[]>): Promise<void> => {
    const send = createPost({ allowPrivate: false, ...(lookUp && { lookUp }) });
    const { attempt } = await send({ url, headers: {}, body: '{}' }, new AbortController().signal);
    expect(attempt).toMatchObject({ failure: 'not_public' });
    expect(attempt.status).toBeUndefined();
    expect(fetching).not.toHaveBeenCalled();
    expect(connections).toBe(0);
  };

  test.each(literals)('no connection is made to an address that is not public (%s): %s', async (_what, url) => {
    await attempt(`${url}:${listener.port}/`);
  });

  test.each(addresses)(
    'no connection is made to a name with an address that is not public (%s): %s',
    async (_what, address) => {
      await attempt(`https://rebinding.example.com:${listener.port}/`, async () => [address]);
    },
  );

  test('no connection is made to localhost after a look-up by the system', async () => {
    await attempt(`https://localhost:${listener.port}/`);
  });

  test('no connection is made to a URL that is invalid for a webhook', async () => {
    await attempt(`http://127.0.0.1:${listener.port}/`);
    await attempt('http://1.1.1.1/');
    await attempt('http://example.com/', async () => ['1.1.1.1']);
    await attempt('https://user@example.com/', async () => ['1.1.1.1']);
  });

  test('an allowed connection reaches the listener', async () => {
    const send = createPost({ allowPrivate: true, timeoutMs: 1000 });
    await send({ url: `http://127.0.0.1:${listener.port}/`, headers: {}, body: '{}' }, new AbortController().signal);
    expect(connections).toBe(1);
  });
});

describe('with allowPrivate', () => {
  test.each(['http://localhost:4000', 'http://127.0.0.1/', 'https://[::1]:4000/', 'http://receiver.test/'])(
    'the URL %s is accepted with allowPrivate',
    (url) => {
      expect(faultOfUrl(url, { allowPrivate: true })).toBeUndefined();
    },
  );

  test.each([
    'ftp://localhost/',
    'http://user@localhost/',
    'localhost:4000',
    'http://',
    'http://127.0.0.1:0/',
    'http://[::1]:0',
    'http://127.0.0.1:70000/',
    'http://*:4000/',
    'http://::1:4000/',
  ])('the URL %s is refused even with allowPrivate', (url) => {
    expect(faultOfUrl(url, { allowPrivate: true })).toBeString();
  });
});

test.each([
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '169.255.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2000::1',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2003::1',
  '2a00::1',
])('the address %s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each(['', 'example.com', '1.2.3', '1.2.3.4.5', 'fe80::1%eth0', '[::1]', '127.1'])(
  'the address %p is not public',
  (text) => {
    expect(isPublicAddress(text)).toBe(false);
  },
);

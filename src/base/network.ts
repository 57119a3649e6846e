/** IP addresses, and networks in CIDR notation, such as `10.0.0.0/8` or `fd00::/8`; a single address is a network of one. */
import { BlockList, isIP } from 'node:net';
import { lazy } from './lazy.ts';

/** Whether the text is a network, but not one of all addresses. */
export const isNetwork = (text: string): boolean => {
  const [, address = '', bits] = /^([\da-f.:]+)(?:\/([1-9]\d{0,2}))?$/i.exec(text) ?? [];
  return isIP(address) !== 0 && Number(bits ?? 1) <= bitsOf(address);
};

/** Returns whether a text is an address in one of these networks. */
const createNetworks = (texts: readonly string[]): ((text: string) => boolean) => {
  const networks = lazy(() => {
    const list = new BlockList();
    for (const text of texts) {
      const [address = '', bits] = text.split('/');
      list.addSubnet(address, Number(bits ?? bitsOf(address)), familyOf(address));
    }
    return list;
  });
  return (text) => isIP(text) !== 0 && networks().check(text, familyOf(text));
};

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
const bitsOf = (address: string): number => (isIP(address) === 6 ? 128 : 32);

/** Whether a server that listens on this host is reachable only from this machine (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3, RFC 6761 §6.3). */
export const isLoopbackHost = (host: string): boolean => isLoopback(host) || /^localhost\.?$/i.test(host);

const isLoopback = createNetworks(['127.0.0.0/8', '::1/128']);

/** Stands for the origins of all pages from this machine in a list of origins. */
export const loopbackOrigins = 'loopback';

/** Whether the text is an origin of http or https, as browsers send it, of a page from this machine. `null` is not. */
export const isLoopbackOrigin = (text: string): boolean => {
  const url = URL.parse(text);
  return /^https?:/.test(text) && url?.origin === text && isLoopbackHost(withoutBrackets(url.hostname));
};

/** The host of a URL, or of a Host header without its port: an IPv6 address loses its brackets. */
export const withoutBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');

/**
 * Whether the text is an IPv4 or IPv6 address that is globally reachable and unicast. False for a name. Webhooks are sent only to such
 * addresses. All others may belong to the network of the service: private hosts, the machine itself, and the metadata services of clouds.
 */
export const isPublicAddress = (text: string): boolean =>
  (isIP(text) === 4 || isGlobalUnicast(text)) && !isSpecialPurpose(text);

/** All global unicast IPv6 addresses. IPv4 in IPv6, loopback, local and multicast addresses are outside. */
const isGlobalUnicast = createNetworks(['2000::/3']);

/**
 * The special-purpose registries of IANA (RFC 6890, https://www.iana.org/assignments/iana-ipv4-special-registry,
 * https://www.iana.org/assignments/iana-ipv6-special-registry).
 */
const isSpecialPurpose = createNetworks([
  '0.0.0.0/8', // this host on this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by a carrier's customers; Alibaba's metadata
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // Azure's metadata, though it is a public address
  '169.254.0.0/16', // link-local; the metadata of most clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments; Oracle's metadata
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // multicast tunnels
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
  '2001::/23', // protocol assignments, with Teredo, which embeds an IPv4 address
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which embeds an IPv4 address
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
]);

/**
 * The address of a client. Proxies hide it: each one appends the address of its own peer to
 * `X-Forwarded-For`. Only the addresses that trusted proxies have appended are reliable. Those to their left are not, since any
 * client can send the header.
 *
 * Returns a function from the address of the peer and its `X-Forwarded-For` to the client: the right-most address that is not a
 * trusted proxy. An invalid address ends the search at the proxy that has sent it. It is undefined if the peer is unknown.
 */
export const createClientAddress = (trustedProxies: readonly string[]) => {
  const isTrusted = createNetworks(trustedProxies);

  return (peer: string | undefined, forwardedFor: string | null): string | undefined => {
    const hops = forwardedFor?.split(',') ?? [];
    let client = toAddress(peer);
    while (client !== undefined && isTrusted(client)) {
      const next = toAddress(hops.pop()?.trim());
      if (next === undefined) break;
      client = next;
    }
    return client;
  };
};

/** Returns whether a request comes from a trusted proxy, by the address of its peer. */
export const createTrustedPeers = (trustedProxies: readonly string[]) => {
  const isTrusted = createNetworks(trustedProxies);
  return (peer: string | undefined): boolean => isTrusted(toAddress(peer) ?? '');
};

/** An address in a normal form: without a zone, and with IPv4 in IPv6 (`::ffff:192.0.2.1`) as IPv4. */
const toAddress = (text = ''): string | undefined => {
  if (isIP(text) !== 6) return isIP(text) === 4 ? text : undefined;
  const [address = ''] = text.split('%');
  const groups = groupsOf(address);
  const isMapped = groups.slice(0, 6).join() === '0,0,0,0,0,65535';
  const [high = 0, low = 0] = groups.slice(6);
  return isMapped ? [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.') : address;
};

/** What a limit by address counts. An IPv6 client is its /64 network, since it can use all addresses of that network. */
export const toNetwork = (address: string): string => {
  if (isIP(address) !== 6) return address;
  const network = groupsOf(address).slice(0, 4);
  return `${network.map((group) => group.toString(16)).join(':')}::/64`;
};

/** The eight numbers of an IPv6 address. */
const groupsOf = (address: string): number[] => {
  // A URL has no part of it in the form of IPv4.
  const halves = (URL.parse(`http://[${address}]`)?.hostname ?? '').slice(1, -1).split('::');
  const [head = [], tail = []] = halves.map((half) =>
    half.split(':').flatMap((group) => (group === '' ? [] : [Number.parseInt(group, 16)])),
  );
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
};

/**
 * The address of a client, for a limit by address. Proxies hide it: each one appends the address of its own peer to
 * `X-Forwarded-For`. Only the addresses that trusted proxies have appended are reliable. Those to their left are not, since any
 * client can send the header.
 */
import { isIP } from 'node:net';
import { createNetworks } from './network.ts';

/**
 * Returns a function from the address of the peer and its `X-Forwarded-For` to the client: the right-most address that is not a
 * trusted proxy. An invalid address ends the search at the proxy that has sent it. An IPv6 client is its /64 network,
 * since it can use all addresses of that network.
 */
export const createClientAddress = (trustedProxies: readonly string[]) => {
  const isTrusted = createNetworks(trustedProxies);

  return (peer: string | undefined, forwardedFor: string | null): string => {
    const hops = forwardedFor?.split(',') ?? [];
    let client = toAddress(peer);
    while (client !== undefined && isTrusted(client)) {
      const next = toAddress(hops.pop()?.trim());
      if (next === undefined) break;
      client = next;
    }
    return client === undefined ? 'unknown' : toNetwork(client);
  };
};

/** An address in a normal form: without a zone, and with IPv4 in IPv6 (`::ffff:192.0.2.1`) as IPv4. Absent if the text is not an address. */
const toAddress = (text = ''): string | undefined => {
  if (isIP(text) !== 6) return isIP(text) === 4 ? text : undefined;
  const [address = ''] = text.split('%');
  const groups = groupsOf(address);
  const isMapped = groups.slice(0, 6).join() === '0,0,0,0,0,65535';
  const [high = 0, low = 0] = groups.slice(6);
  return isMapped ? [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.') : address;
};

const toNetwork = (address: string): string => {
  if (isIP(address) === 4) return address;
  const network = groupsOf(address).slice(0, 4);
  return `${network.map((group) => group.toString(16)).join(':')}::/64`;
};

/** The eight numbers of an IPv6 address, the last two of which may be in the form of IPv4. */
const groupsOf = (address: string): number[] => {
  const [head = [], tail = []] = address.split('::').map((half) => half.split(':').filter(Boolean).flatMap(toGroups));
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
};

const toGroups = (text: string): number[] => {
  if (!text.includes('.')) return [Number.parseInt(text, 16)];
  const [a = 0, b = 0, c = 0, d = 0] = text.split('.').map(Number);
  return [a * 256 + b, c * 256 + d];
};

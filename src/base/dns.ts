/**
 * The addresses of names, by `/etc/hosts` and DNS with its search domains. `lookup` of `node:dns` runs getaddrinfo, which blocks one of a few
 * threads until the name server responds: a few silent servers would stop all look-ups of the process, and Node waits for these threads
 * when it exits. A `Resolver` blocks no thread, and can be cancelled.
 */
import { lookup, Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { createResolverNames } from './resolver-files.ts';

export interface LookUpOptions {
  /** Ends the look-up. It then resolves to the addresses that it has. */
  readonly signal: AbortSignal;
  /**
   * Whether a name without addresses is also looked up by getaddrinfo, which knows other sources than DNS, such as mDNS, and the names of
   * the system where it has no such files. Names of public hosts are in DNS.
   */
  readonly isLocal: boolean;
}

/** Resolves to the addresses of a name, in the order to try them, or to an empty list. May reject instead. */
export type LookUp = (host: string, options: LookUpOptions) => Promise<readonly string[]>;

/** As long as getaddrinfo, and the maximum. A later response is not read, but the next query waits at least as long, and most wait longer. */
const queryMs = 5000;
const queries = 3;
/** How long the addresses of one family wait for those of the other one (RFC 8305 §3). A server may not respond to queries for IPv6. */
const otherFamilyMs = 1000;

const names = createResolverNames();

export const lookUpByDns: LookUp = async (host, { signal, isLocal }) => {
  const known = names.addressesOf(host);
  if (known.length > 0) return known;
  // It reads the name servers in /etc/resolv.conf, which may have changed.
  const resolver = new Resolver({ timeout: queryMs, tries: queries });
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel);
  try {
    for (const name of names.namesFor(host)) {
      const found = await resolve(resolver, name);
      if (found.length > 0 || signal.aborted) return found;
    }
  } finally {
    signal.removeEventListener('abort', cancel);
  }
  return isLocal ? lookUpBySystem(host, signal) : [];
};

/**
 * The option `lookup` of connections that other libraries make, such as those to PostgreSQL. Without addresses it has the error that
 * getaddrinfo has for a name server that does not respond.
 */
export const lookupForSocket: LookupFunction = (host, { all, family = 0 }, callback) => {
  const isWanted = (address: string): boolean => ![4, 6].includes(Number(family)) || isIP(address) === family;
  lookUpByDns(host, { signal: AbortSignal.timeout(socketMsMax), isLocal: true }).then(
    (addresses) => {
      const found = addresses.filter(isWanted).map((address) => ({ address, family: isIP(address) }));
      const [first] = found;
      if (!first) callback(Object.assign(new Error('The name has no address.'), { code: 'EAI_AGAIN' }), '');
      else if (all) callback(null, found);
      else callback(null, first.address, first.family);
    },
    (error) => callback(error, ''),
  );
};

const socketMsMax = 13_000;

/** IPv6 first, as RFC 8305 §4 has it. */
const resolve = async (resolver: Resolver, name: string): Promise<readonly string[]> => {
  // With the dot of the root, Deno does not add search domains.
  const whole = `${name}.`;
  const families = [resolver.resolve6(whole).catch(noAddresses), resolver.resolve4(whole).catch(noAddresses)];
  const first = await Promise.race(families);
  const timer = first.length > 0 ? setTimeout(() => resolver.cancel(), otherFamilyMs) : undefined;
  const found = await Promise.all(families);
  clearTimeout(timer);
  return found.flat();
};

const noAddresses = (): readonly string[] => [];

/** One at a time, so that they block only one thread. */
const lookUpBySystem = (host: string, signal: AbortSignal): Promise<readonly string[]> => {
  const found = systemIsFree.then(async () => {
    if (signal.aborted) return [];
    return (await lookup(host, { all: true })).map(({ address }) => address);
  });
  systemIsFree = found.then(noAddresses, noAddresses);
  return found;
};

let systemIsFree: Promise<unknown> = Promise.resolve();

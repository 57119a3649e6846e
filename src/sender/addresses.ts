/**
 * The choice among the addresses of a host, as by Happy Eyeballs (RFC 8305): if one accepts no connection, another one is used. An address that
 * accepts connections but does not respond is not replaced, since its receiver may have the message.
 *
 * A request does not show whether it has a connection. So only if it is slow, connections are tried beside it, to all addresses.
 */
import { connect } from 'node:net';
import { codeOf } from '../base/error.ts';

/** How long a request may take before connections are tried. */
export const slowMs = 2000;
/** How long an address may take to accept one. */
export const connectMsMax = 2000;

/** @limit Webhooks | Addresses of a host that are tried | the others are not tried */
const addressesMax = 8;

export interface Choice {
  /** An address that worked after another one did not is the first one for this key from then on. */
  readonly key: string;
  /** In the order to try them; not empty. */
  readonly addresses: readonly string[];
  readonly port: number;
}

export interface Requests<Response> {
  /** Makes a request to an address. */
  readonly make: (address: string) => Promise<Response>;
  /** Gets a request to an address that accepts no connections. It may still get a response. */
  readonly abandon: (request: Promise<Response>) => void;
}

/** Returns a function that makes a request to the first address that works. */
export const createTryAddresses = () => {
  const preferred = new Map<string, string>();

  const tryAll = async <Response>(
    { key, addresses, port }: Choice,
    requests: Requests<Response>,
  ): Promise<Response> => {
    const known = preferred.get(key);
    const others = addresses.filter((address) => address !== known).slice(0, addressesMax);
    const inOrder = known === undefined || others.length === addresses.length ? others : [known, ...others];
    const { address, response } = await tryInOrder(inOrder, port, requests);
    if (address !== inOrder[0]) {
      if (preferred.size >= preferredMax) preferred.clear();
      preferred.set(key, address);
    }
    return response;
  };

  return <Response>(choice: Choice, requests: Requests<Response>): Promise<Response> => {
    const [only = '', another] = choice.addresses;
    return another === undefined ? requests.make(only) : tryAll(choice, requests);
  };
};

/** A store has fewer webhooks. */
const preferredMax = 256;

const tryInOrder = async <Response>(
  [address = '', ...rest]: readonly string[],
  port: number,
  requests: Requests<Response>,
): Promise<{ readonly address: string; readonly response: Response }> => {
  const request = requests.make(address);
  if (rest.length === 0) return { address, response: await request };
  const silence = Promise.withResolvers<never>();
  const timer = setTimeout(async () => {
    const [isReached, reachable] = await Promise.all([accepts(address, port), reachableOf(rest, port)]);
    if (!isReached && reachable.length > 0) silence.reject(new Silence(reachable));
  }, slowMs);
  try {
    return { address, response: await Promise.race([request, silence.promise]) };
  } catch (error) {
    if (error instanceof Silence) {
      requests.abandon(request);
      return tryInOrder(error.reachable, port, requests);
    }
    if (noConnection.has(codeOf(error) ?? '')) return tryInOrder(rest, port, requests);
    throw error;
  } finally {
    clearTimeout(timer);
  }
};

/** An address accepts no connections, and these others do. */
class Silence extends Error {
  readonly reachable: readonly string[];

  constructor(reachable: readonly string[]) {
    super();
    this.reachable = reachable;
  }
}

const noConnection: ReadonlySet<string> = new Set([
  ...['ConnectionRefused', 'FailedToOpenSocket', 'ECONNREFUSED', 'ENETUNREACH', 'EHOSTUNREACH'],
  // The machine has no IPv6.
  ...['EADDRNOTAVAIL', 'EAFNOSUPPORT'],
]);

/** Those of the addresses that accept a connection. */
const reachableOf = async (addresses: readonly string[], port: number): Promise<readonly string[]> => {
  const reached = await Promise.all(
    addresses.map(async (address) => ((await accepts(address, port)) ? [address] : [])),
  );
  return reached.flat();
};

const accepts = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (isReached: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(isReached);
    };
    const timer = setTimeout(end, connectMsMax, false);
    socket.once('connect', () => end(true));
    socket.on('error', () => end(false));
  });

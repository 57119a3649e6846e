import { lookup } from 'node:dns/promises';
import { type LookUp, lookUpByDns } from '../base/dns.ts';

/** Deno has 32 threads for look-ups, and for files. It does not wait for them when it exits. */
const threadsMax = 16;
let running = 0;

/** By getaddrinfo, which knows more sources than DNS, but by DNS alone while too many look-ups hang. */
export const lookUp: LookUp = async (host, options) => {
  if (running >= threadsMax) return lookUpByDns(host, options);
  running += 1;
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } finally {
    running -= 1;
  }
};

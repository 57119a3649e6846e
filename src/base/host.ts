/** Hosts of settings and options: names, and IP addresses. Only a URL needs brackets around an IPv6 address, so they are accepted everywhere. */
import { isIP, isIPv6 } from 'node:net';

/**
 * The host that programs listen on and connect to: an IPv6 address without its brackets, perhaps with a zone, and another form of an IPv4
 * address (`127.1`) with its four numbers. Undefined if the text can be neither a name nor an IP address.
 */
export const readHost = (text: string): string | undefined => {
  const [, bracketed] = /^\[(.*)\]$/.exec(text) ?? [];
  const address = bracketed ?? text;
  if (isIPv6(address)) return address;
  if (bracketed !== undefined || !isName(text)) return undefined;
  // A name that ends in a number is an IPv4 address, or invalid (https://url.spec.whatwg.org/#host-parsing).
  const hostname = URL.parse(`http://${text}`)?.hostname;
  if (hostname === undefined) return undefined;
  return isIP(hostname) === 4 ? hostname : text;
};

/** A host as `readHost` returns it, as a part of a URL: RFC 3986 has the brackets, and RFC 6874 has the zone. */
export const toUrlHost = (host: string): string => (isIPv6(host) ? `[${host.replace('%', '%25')}]` : host);

/** Whether the text has the form of a host name (RFC 1123 §2.1), which may be international, and may have underscores as in container names. */
const isName = (text: string): boolean => text.length <= hostLengthMax && nameForm.test(text);

const hostLengthMax = 253;
const nameForm = /^(?!-)[\p{L}\p{M}\p{N}_-]{1,63}(?<!-)(?:\.(?!-)[\p{L}\p{M}\p{N}_-]{1,63}(?<!-))*\.?$/u;

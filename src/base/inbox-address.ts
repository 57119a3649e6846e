/** The URLs of the inbox, which is the service's own receiver of webhooks: `http://127.0.0.1:3000/inbox/NAME`. */
import { isIP } from 'node:net';
import { withoutBrackets } from './network.ts';

export interface InboxAddress {
  /** The URL of a name. */
  urlOf(name: string): string;
  /** The name in such a URL. Undefined for any other URL, also if it only leads to the same place. */
  nameIn(url: string): string | undefined;
  /** The host to connect to, whatever the URL says: an IP address, or the name on which the service listens. */
  host(): string;
}

/** Whether the text can be a name in the inbox. */
export const isInboxName = (text: string): boolean => /^[\w-]{1,40}$/.test(text);

/**
 * `serverUrl` returns the origin on which the service listens, which is known once it listens. URLs are compared as texts, so no two programs
 * can read one differently.
 */
export const createInboxAddress = (serverUrl: () => string): InboxAddress => {
  const own = (): { origin: string; host: string } => {
    const { hostname, port } = new URL(serverUrl());
    const host = reachable[hostname] ?? hostname;
    return { origin: new URL(`http://${host}:${port || 80}`).origin, host: withoutBrackets(host) };
  };
  return {
    urlOf: (name) => `${own().origin}/inbox/${name}`,
    nameIn: (url) => {
      const { origin, host } = own();
      // A browser has the name in its address bar as often as the number.
      const alias =
        isIP(host) !== 0 && isDefault(host) ? origin.replace(/\/\/(?:\[::1\]|127\.0\.0\.1)/, '//localhost') : origin;
      const found = [origin, alias].find((one) => url.startsWith(`${one}/inbox/`));
      const name = url.slice(`${found}/inbox/`.length);
      return found !== undefined && isInboxName(name) ? name : undefined;
    },
    host: () => own().host,
  };
};

/** The address of this machine for one that means all addresses. */
const reachable: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '[::]': '[::1]' };

/** Whether `localhost` is a name of the address. */
const isDefault = (address: string): boolean => address === '127.0.0.1' || address === '::1';

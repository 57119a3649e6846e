/** Where the messages to a URL go. A URL is checked and parsed once, since that costs as much as a tenth of a request. */
import { isIP } from 'node:net';
import { memoize } from '../base/memoize.ts';
import { faultOfUrl, hostOf, type Targets } from '../webhooks/webhook.ts';

/** Where to send the messages to a URL. */
export interface Target {
  readonly url: URL;
  readonly port: number;
  readonly serverName: string;
  readonly isAddress: boolean;
  /** Whether it is the inbox of the service. */
  readonly isOwn: boolean;
}

/** Returns the target of a URL, or `undefined` if no message may be sent to it. The inbox has its address only once the service listens. */
export const createTargets = ({ allowPrivate, inbox }: Targets): ((url: string) => Target | undefined) => {
  const read = memoize(targetsMax, (text): Target | undefined => {
    if (faultOfUrl(text, { allowPrivate }) !== undefined) return undefined;
    const url = new URL(text);
    const serverName = hostOf(url.hostname);
    return { url, port: portOf(url), serverName, isAddress: isIP(serverName) !== 0, isOwn: false };
  });
  return (text) => {
    if (inbox?.nameIn(text) !== undefined) {
      const serverName = inbox.host();
      const url = new URL(text);
      return { url, port: portOf(url), serverName, isAddress: isIP(serverName) !== 0, isOwn: true };
    }
    return read(text);
  };
};

const portOf = ({ port, protocol }: URL): number => Number(port) || (protocol === 'https:' ? 443 : 80);

/** The URLs whose check is kept. A store has fewer webhooks. */
const targetsMax = 256;

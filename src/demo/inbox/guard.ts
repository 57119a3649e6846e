/**
 * Which requests the inbox accepts without a token: those of programs on this machine, such as the sender and curl, and of its own page. A
 * page of another origin can neither read messages nor send one, nor change an answer.
 */

import { AppError, foreignHost, foreignOrigin } from '../../base/app-error.ts';
import { isLoopbackHost, withoutBrackets } from '../../base/network.ts';

/**
 * Throws AppError `invalid_query` for a request that a page of another origin has sent. A browser says so in `Sec-Fetch-Site`, or at least in the
 * `Origin` of a request that the page may read, or that is not a GET. With `requiresLoopbackHost`, also for a page whose name resolves to this
 * machine, which a browser takes for one of this origin.
 */
export const guard = ({ headers }: Request, requiresLoopbackHost: boolean): void => {
  const host = headers.get('host') ?? '';
  if (requiresLoopbackHost && host !== '' && !isLoopbackHost(withoutBrackets(host.replace(/:\d*$/, ''))))
    throw new AppError(foreignHost);
  const site = headers.get('sec-fetch-site');
  const origin = headers.get('origin');
  const isOwn = site === null ? origin === null || URL.parse(origin)?.host === host : sitesOfOwn.includes(site);
  if (!isOwn) throw new AppError(foreignOrigin);
};

/** `none` is a request of the user, such as an address that was typed. */
const sitesOfOwn = ['same-origin', 'none'];

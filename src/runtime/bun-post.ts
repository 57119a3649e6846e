import { isIP } from 'node:net';
import type { Post } from './runtime.ts';

/** Bun connects to the host of the URL, so that is the address. */
export const post: Post = ({ url, address, serverName, headers, body, signal, ca }) => {
  const { protocol, host, port, pathname, search } = url;
  const authority = `${isIP(address) === 6 ? `[${address}]` : address}${port === '' ? '' : `:${port}`}`;
  const tls = { serverName, rejectUnauthorized: true, ...(ca !== undefined && { ca }) };
  return fetch(`${protocol}//${authority}${pathname}${search}`, {
    method: 'POST',
    headers: { ...headers, host },
    body,
    redirect: 'manual',
    decompress: false,
    // A proxy would bypass the check of the address.
    ...noProxy,
    signal,
    ...(protocol === 'https:' && { tls }),
  });
};

/** Bun accepts `false` for no proxy, which its types do not include. */
const noProxy: object = { proxy: false };

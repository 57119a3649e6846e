import { isIP } from 'node:net';
import type { Post, PostResponse, ReadLimits } from './runtime.ts';

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
  }).then(toPostResponse);
};

const toPostResponse = ({ status, headers, body }: Response): PostResponse => ({
  status,
  headers,
  readBeginning: async (limits) => (body ? readBeginning(body, limits) : []),
  close: () => void body?.cancel().catch(() => {}),
});

const readBeginning = async (body: ReadableStream<Uint8Array>, { bytesMax, timeoutMs }: ReadLimits) => {
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => {});
  const timer = setTimeout(cancel, timeoutMs);
  const chunks: Uint8Array[] = [];
  let lengthBytes = 0;
  try {
    while (lengthBytes <= bytesMax) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      lengthBytes += value.length;
    }
  } catch {}
  clearTimeout(timer);
  cancel();
  return chunks;
};

/** Bun accepts `false` for no proxy, which its types do not include. */
const noProxy: object = { proxy: false };

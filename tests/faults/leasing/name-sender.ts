/** Is preloaded, and adds the setting SENDER_NAME as a header to each message that the program sends. */
const send = globalThis.fetch;
const name = process.env['SENDER_NAME'] ?? '';

globalThis.fetch = Object.assign(
  (input: string | URL | Request, init?: RequestInit) => {
    const headers = new Headers(init?.headers);
    headers.set('x-sender', name);
    return send(input, { ...init, headers });
  },
  { preconnect: send.preconnect },
);

/** Preloaded, it makes the program name itself in each message that it sends: the setting SENDER_NAME becomes a header. */
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

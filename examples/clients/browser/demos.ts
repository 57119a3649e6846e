/** What playwright.config.ts starts: a demo, a slow one, and the pages by Vite. */
const { PORTS = '3000,3001,3002' } = process.env;

export const [demo, slowDemo, pages] = PORTS.split(',').map((port) => `http://127.0.0.1:${port}`);

/** Sends a request to a demo. A body is JSON as text, so that no id in it is rounded here. */
export const send = (url: string, method: string, path: string, body: string | null = null): Promise<Response> => {
  const authorization = 'Bearer plant_ThisTokenIsPublicUseItForTests0JVZRz';
  return fetch(url + path, { method, headers: { authorization, 'content-type': 'application/json' }, body });
};

export const reset = (url: string): Promise<Response> => send(url, 'POST', '/__demo/reset');

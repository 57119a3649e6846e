import { createApp } from '../../../src/app/app.ts';
import { readConfig } from '../../../src/config/config.ts';
import { createLog } from '../../../src/log.ts';
import type { Store } from '../../../src/store/store.ts';
import { digestToken, generateToken, type NewToken, scopes } from '../../../src/tokens/token.ts';
import { conform, documentOf } from '../document/conformance.ts';
import { openTestStore } from '../store/engines.ts';
import { isStream } from '../streams/event-stream.ts';

/** The real app on a real database in memory, and a token with every scope. */
export interface TestApp {
  readonly store: Store;
  readonly token: string;
  /** The responses so far: the bodies of each `operationId status`. */
  readonly responses: ReadonlyMap<string, ReadonlySet<string>>;
  /** Sends a request, and throws if the response does not match the document. */
  send(method: string, path: string, options?: SendOptions): Promise<Response>;
}

export interface SendOptions {
  /** `null` sends no Authorization header. */
  readonly authorization?: string | null;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer> | ReadableStream;
}

type AppOptions = Parameters<typeof createApp>[0];
type App = ReturnType<typeof createApp>;

/**
 * The apps without options, by a part of their store that its copies share. A store is used again when a test has closed it, and building
 * an app takes longer than most tests.
 */
const plainApps = new WeakMap<Store['plants'], App>();

const plainAppOf = (store: Store): App => {
  const app = plainApps.get(store.plants) ?? buildApp({ store });
  plainApps.set(store.plants, app);
  return app;
};

const buildApp = (options: Partial<AppOptions> & Pick<AppOptions, 'store'>): App =>
  createApp({ config: readConfig({}, {}), log: createLog('silent'), ...options });

export const createTestApp = async (options?: Partial<AppOptions>): Promise<TestApp> => {
  const store = options?.store ?? (await openTestStore());
  const app = options ? buildApp({ ...options, store }) : plainAppOf(store);
  const described = documentOf(options?.config ?? {});
  const token = await giveToken(store);
  const responses = new Map<string, Set<string>>();
  return {
    store,
    token,
    responses,
    send: async (method, path, { authorization = `Bearer ${token}`, headers = {}, ...init } = {}) => {
      const request = new Request(`http://localhost${path}`, {
        method,
        headers: { ...(authorization !== null && { authorization }), ...headers },
        ...init,
      });
      const response = asSent(request, await app.fetch(request));
      const documented = await conform(request, response, described);
      if (documented !== undefined) {
        const bodies = responses.get(documented) ?? new Set();
        responses.set(documented, isStream(response) ? bodies : bodies.add(await response.clone().text()));
      }
      return response;
    },
  };
};

/** The response as the server sends it: that to HEAD has no body. */
export const asSent = (request: Request, response: Response): Response =>
  request.method === 'HEAD' ? new Response(null, response) : response;

/** Creates a token in the store and returns its text. */
export const giveToken = async (store: Store, options: Partial<Omit<NewToken, 'digest'>> = {}): Promise<string> => {
  const text = generateToken();
  await store.tokens.create({ name: 'test', scopes, ...options, digest: digestToken(text) });
  return text;
};

/** A body that fails when anything reads it. */
export const untouchable = () =>
  new ReadableStream(
    {
      pull() {
        throw new Error('the body was read');
      },
    },
    { highWaterMark: 0 },
  );

export const asJson = { 'content-type': 'application/json' };

/** Sends `body`, unchanged, to `POST /plants`. */
export const create = ({ send }: TestApp, body: string | Uint8Array<ArrayBuffer> | ReadableStream): Promise<Response> =>
  send('POST', '/plants', { headers: asJson, body });

/** The JSON of a response, for tests that check its members. */
export const jsonOf = async (response: Response) => JSON.parse(await response.text());

/** The `error` number of a response, after checking that it has the form of an error. */
export const errorOf = async (response: Response): Promise<number> => {
  const body: unknown = await response.json();
  if (
    typeof body !== 'object' ||
    body === null ||
    Object.keys(body).join() !== ('details' in body ? 'error,message,details' : 'error,message') ||
    !('error' in body && typeof body.error === 'number') ||
    !('message' in body && typeof body.message === 'string' && body.message !== '') ||
    response.headers.get('content-type') !== 'application/json' ||
    response.headers.get('cache-control') !== 'no-store' ||
    Math.floor(body.error / 100) !== response.status
  ) {
    throw new Error(`not an error response: ${response.status} ${JSON.stringify(body)}`);
  }
  return body.error;
};

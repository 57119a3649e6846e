/** The client of the API by Eden. The addresses are relative to the page, for a proxy with a prefix. */
import { treaty } from '@elysiajs/eden';
import type { App } from 'plant-store/app';
import { optionsFor } from '../../examples/eden/client.ts';
import { createStore } from '../parts/store.ts';
import type { Api, Reply } from './api.ts';
import { readJson } from './json.ts';
import { createPatience } from './patience.ts';
import { Problem, problemOf } from './problem.ts';

/** Without a slash at its end. */
export const baseUrl = new URL('.', location.href).href.slice(0, -1);

/** The time until which the requests wait, since the service limits their rate. */
export const waitingUntilMs = createStore(0);

export const pause = (timeMs: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(end, timeMs);
    signal?.addEventListener('abort', end, { once: true });
  });

/** `fetch`, which waits if the service asks for it. */
export const patientFetch = createPatience({
  send: (input, init) => fetch(input, { ...init, cache: 'no-store' }),
  pause,
  nowMs: () => Date.now(),
  onWait: (untilMs) => waitingUntilMs.update(() => untilMs),
});

export const connect = (token: string): Api =>
  treaty<App>(baseUrl, {
    ...optionsFor(token),
    fetcher: patientFetch as typeof fetch,
    onResponse: async (response) => (response.ok && isJson(response) ? readJson(await response.text()) : undefined),
  });

const isJson = ({ headers }: Response): boolean => /^application\/json\b/.test(headers.get('content-type') ?? '');

/** The data and the response of a successful request. Throws Problem for every other outcome. */
export const expect = async <Own extends Reply>(
  request: Promise<Own>,
): Promise<{ readonly data: NonNullable<Own['data']>; readonly response: Response }> => {
  const { data, error, response } = await request.catch(() => {
    throw new Problem({ status: 0 });
  });
  if (error || !response) throw problemOf(response, error?.value);
  return { data: data as NonNullable<Own['data']>, response };
};

/** The cursor in the `Link` to the next page, if there is one. */
export const nextCursorOf = ({ headers }: Response): string | undefined => {
  const [, target] = /<([^>]*)>\s*;\s*rel="next"/.exec(headers.get('link') ?? '') ?? [];
  return target === undefined ? undefined : (new URL(target, `${baseUrl}/`).searchParams.get('after') ?? undefined);
};

/** The response to a request that Eden cannot make, such as one with the bytes of a file. Throws Problem. */
export const send = async (token: string, path: string, init: RequestInit): Promise<Response> => {
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${token}`);
  const response = await patientFetch(`${baseUrl}/${path}`, { ...init, headers }).catch(() => {
    throw new Problem({ status: 0 });
  });
  if (!response.ok) throw problemOf(response, await response.json().catch(() => undefined));
  return response;
};

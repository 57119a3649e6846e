/** The client of the API by Eden. The addresses are relative to the page, for a proxy with a prefix. */
import { createClient } from '../../examples/eden/client.ts';
import type { Api, Reply } from './api.ts';
import { Problem, problemOf } from './problem.ts';

/** Without a slash at its end. */
export const baseUrl = new URL('.', location.href).href.slice(0, -1);

export const connect = (token: string): Api => createClient(baseUrl, token);

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

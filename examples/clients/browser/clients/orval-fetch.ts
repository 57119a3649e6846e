import { readBody } from './plants.ts';
import { settings } from './settings.ts';

/** The `mutator` of orval.config.ts, which sends each request. */
export const orvalFetch = async <T>(path: string, init: RequestInit): Promise<T> => {
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${settings.token}`);
  const response = await settings.fetch(settings.url + path, { ...init, headers });
  return { status: response.status, headers: response.headers, data: await readBody(response) } as T;
};

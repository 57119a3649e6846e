import { settings } from './settings.ts';

export interface RequestConfig<Data = unknown> {
  readonly method: string;
  readonly url: string;
  readonly params?: object;
  readonly data?: Data;
  readonly headers?: HeadersInit;
}

export interface ResponseConfig<Data> {
  readonly data: Data;
  readonly status: number;
  readonly headers: Headers;
}

export type ResponseErrorConfig<Failure> = Failure;

export type Client = <Data, _Failure, Sent>(config: RequestConfig<Sent>) => Promise<ResponseConfig<Data>>;

/** The client of all functions: `importPath` of kubb.config.ts. */
const kubbFetch: Client = async ({ method, url, params = {}, data, headers: given }) => {
  const headers = new Headers(given);
  headers.set('authorization', `Bearer ${settings.token}`);
  if (data !== undefined) headers.set('content-type', 'application/json');
  const query = new URLSearchParams(Object.entries(params));
  const init = { method, headers, body: data === undefined ? null : JSON.stringify(data) };
  const response = await settings.fetch(`${settings.url}${url}?${query}`, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, data: text === '' ? undefined : JSON.parse(text) };
};

export default kubbFetch;

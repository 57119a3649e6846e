import { readBody } from './plants.ts';
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
const kubbFetch: Client = async <Data>({ method, url, params = {}, data, headers: given }: RequestConfig) => {
  const headers = new Headers(given);
  headers.set('authorization', `Bearer ${settings.token}`);
  if (data !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json');
  const query = new URLSearchParams(Object.entries(params));
  const body = data instanceof Blob ? data : JSON.stringify(data);
  const response = await settings.fetch(`${settings.url}${url}?${query}`, { method, headers, body });
  return { status: response.status, headers: response.headers, data: (await readBody(response)) as Data };
};

export default kubbFetch;

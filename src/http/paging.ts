/** Pages of a list: one item more than the page holds is asked for, and if it comes, a `Link` leads to the next page. */
import { jsonResponse } from './response.ts';

export interface PageRequest<Item> {
  /** The path of the list. */
  readonly path: string;
  /** The query of this page, in the order in which the next one's shall be written. */
  readonly query: Readonly<Record<string, string | number | undefined>> & { readonly limit: string | number };
  /** Gets at most so many items, from where the query says. */
  readonly list: (limit: number) => Promise<readonly Item[]>;
  readonly toBody: (item: Item) => object;
  /** The cursor that goes on after this item. */
  readonly toCursor: (item: Item) => string;
}

export const answerPage = async <Item>({
  path,
  query,
  list,
  toBody,
  toCursor,
}: PageRequest<Item>): Promise<Response> => {
  const limit = Number(query.limit);
  const found = await list(limit + 1);
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const link =
    last !== undefined && found.length > limit ? { link: nextLink(path, { ...query, after: toCursor(last) }) } : {};
  return jsonResponse(page.map(toBody), link);
};

/** Relative to the host, so that it holds behind a proxy (RFC 8288 §3). */
const nextLink = (path: string, query: PageRequest<never>['query']): string => {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return `<${path}?${parameters.join('&')}>; rel="next"`;
};

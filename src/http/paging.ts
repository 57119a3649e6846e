/**
 * Pages of a list. A page ends with the number of items that was asked for, or earlier, so that it stays within `pageBytesMax`;
 * while there is more, a `Link` leads to the next one. The store is read in small pieces, so that no more than a piece is held
 * beside the page.
 */
import { createOutbox } from './outbox.ts';

export interface PageRequest<Item> {
  /** The path of the list. */
  readonly path: string;
  /** The query of this page, in the order in which the next one's shall be written. */
  readonly query: Readonly<Record<string, string | number | undefined>> & { readonly limit: string | number };
  /** Gets at most so many items: those after `last`, or from where the query says. */
  readonly list: (limit: number, last: Item | undefined) => Promise<readonly Item[]>;
  readonly toBody: (item: Item) => object;
  /** The cursor that goes on after this item. */
  readonly toCursor: (item: Item) => string;
}

/** The largest page, in bytes. A single item is smaller. */
export const pageBytesMax = 1024 * 1024;

/** How many items are read at a time: a page of the usual size, and one to know whether there is more. */
const pieceItems = 101;

export const answerPage = async <Item>({
  path,
  query,
  list,
  toBody,
  toCursor,
}: PageRequest<Item>): Promise<Response> => {
  const limit = Number(query.limit);
  const page = createPage(toBody);
  let last: Item | undefined;
  let hasMore: boolean;
  for (;;) {
    const asked = Math.min(limit + 1 - page.length, pieceItems);
    const found = await list(asked, last);
    const wanted = found.slice(0, limit - page.length);
    const taken = page.add(wanted);
    last = wanted[taken - 1] ?? last;
    hasMore = taken < found.length;
    if (hasMore || found.length < asked) break;
  }
  const link = hasMore && last !== undefined ? { link: nextLink(path, { ...query, after: toCursor(last) }) } : {};
  return outbox.answer(page.toJson(), { 'content-type': 'application/json', ...link });
};

/** What answers hold in memory is counted over all lists. */
const outbox = createOutbox();

/** Items as JSON, up to `pageBytesMax`. */
const createPage = <Item>(toBody: (item: Item) => object) => {
  const pieces: string[] = [];
  let length = 0;
  let bytes = '[]'.length;

  const add = (text: string, items: number): void => {
    pieces.push(text);
    length += items;
    bytes += Buffer.byteLength(text) + ','.length;
  };
  const fits = (text: string): boolean => bytes + Buffer.byteLength(text) <= pageBytesMax;

  return {
    get length() {
      return length;
    },
    /** Takes items as long as they fit, and returns how many it took. */
    add: (items: readonly Item[]): number => {
      if (items.length === 0) return 0;
      const text = JSON.stringify(items.map(toBody)).slice(1, -1);
      if (fits(text)) {
        add(text, items.length);
        return items.length;
      }
      for (const [index, item] of items.entries()) {
        const text = JSON.stringify(toBody(item));
        if (!fits(text)) return index;
        add(text, 1);
      }
      return items.length;
    },
    toJson: (): string => `[${pieces.join(',')}]`,
  };
};

/** Relative to the host, so that it holds behind a proxy (RFC 8288 §3). */
const nextLink = (path: string, query: PageRequest<never>['query']): string => {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return `<${path}?${parameters.join('&')}>; rel="next"`;
};

/**
 * Pages of a list. A page ends with the number of items that was asked for, or earlier, so that it stays within `pageBytesMax`;
 * while there is more, a `Link` leads to the next one. The store is read in small pieces, so that no more than a piece is held
 * beside the page.
 */
import { createOutbox } from './outbox.ts';
import { integerText } from './schema/kinds.ts';

const limitMax = 1000;
const limitDefault = 100;

/** The schema of the size of a page. */
export const limitOf = (what: string) =>
  integerText({
    minimum: 1,
    maximum: limitMax,
    default: limitDefault,
    description: `The largest number of ${what} to answer with. A page that reaches 1 MiB ends earlier, and \`Link\` leads to the rest.`,
    error: `The query parameter limit must be an integer from 1 to ${limitMax}.`,
  });

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
  /** Arrays, each of some of the items. */
  const pieces: string[] = [];
  let length = 0;

  const push = (piece: string, items: number): number => {
    pieces.push(piece);
    length += items;
    return items;
  };

  /** Takes the items one by one as long as they fit beside so many bytes, and returns how many it took. */
  const pushEach = (items: readonly Item[], before: number): number => {
    let bytes = before;
    for (const [index, item] of items.entries()) {
      const piece = `[${JSON.stringify(toBody(item))}]`;
      bytes += Buffer.byteLength(piece);
      if (bytes > pageBytesMax) return index;
      push(piece, 1);
    }
    return items.length;
  };

  return {
    get length() {
      return length;
    },
    /** Takes items as long as they fit, and returns how many it took. */
    add: (items: readonly Item[]): number => {
      if (items.length === 0) return 0;
      const piece = JSON.stringify(items.map(toBody));
      // Nearly all pages are one piece, and too short to be worth counting.
      if (pieces.length === 0 && piece.length * utf8BytesMax <= pageBytesMax) return push(piece, items.length);
      const bytes = pieces.reduce((sum, each) => sum + Buffer.byteLength(each), 0);
      return bytes + Buffer.byteLength(piece) <= pageBytesMax ? push(piece, items.length) : pushEach(items, bytes);
    },
    toJson: (): string => (pieces.length === 1 ? `${pieces[0]}` : `[${pieces.map(contentOf).join(',')}]`),
  };
};

/** Of a UTF-16 code unit. */
const utf8BytesMax = 3;

const contentOf = (array: string): string => array.slice(1, -1);

/** Relative to the host, so that it holds behind a proxy (RFC 8288 §3). */
const nextLink = (path: string, query: PageRequest<never>['query']): string => {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return `<${path}?${parameters.join('&')}>; rel="next"`;
};

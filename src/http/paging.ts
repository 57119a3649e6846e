/**
 * Pages of a list. A page has the number of items that the caller asks for, or fewer, so that it stays within `pageBytesMax`. While
 * there is more, a `Link` leads to the next page. The store is read in small pieces, to save memory.
 */
import { invalidQuery } from '../domain/error.ts';
import { createOutbox } from './outbox.ts';
import { integerText } from './schema/kinds.ts';

const limitMax = 1000;

export const invalidLimit = invalidQuery(`The query parameter limit must be an integer from 1 to ${limitMax}.`);

/** The schema of the parameter `limit`. */
export const limitOf = (what: string) =>
  integerText({
    minimum: 1,
    maximum: limitMax,
    default: 100,
    examples: [10],
    description: `The largest number of ${what} to answer with. A page that reaches 1 MiB ends earlier, and \`Link\` leads to the rest.`,
    error: invalidLimit.sentence,
  });

export interface PageRequest<Item> {
  readonly path: string;
  /** Of the answer, beside `Link`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The query of this page, in the order in which the link to the next page has it. */
  readonly query: Readonly<Record<string, string | number | undefined>> & { readonly limit: string | number };
  /** Gets at most `limit` items: those after `last`, or from where the query says. */
  readonly list: (limit: number, last: Item | undefined) => Promise<readonly Item[]>;
  readonly toBody: (item: Item) => object;
  /** The `after` that leads to the items after this one. */
  readonly toCursor: (item: Item) => string;
}

/** The largest page, in bytes. A single item is smaller. */
export const pageBytesMax = 1024 * 1024;

/** How many items are read at a time: a page of the usual size, and one to know whether there is more. */
const pieceItems = 101;

/** Answers with a page and the link to the next one. Throws AppError `unavailable` when too many large answers wait. */
export const answerPage = async <Item>(request: PageRequest<Item>): Promise<Response> => {
  const { path, query, list, toBody, toCursor } = request;
  const limit = Number(query.limit);
  const page = createPage(toBody);
  let length = 0;
  let last: Item | undefined;
  let hasMore: boolean;
  for (;;) {
    const asked = Math.min(limit + 1 - length, pieceItems);
    const found = await list(asked, last);
    const wanted = found.slice(0, limit - length);
    const taken = page.add(wanted);
    length += taken;
    last = wanted[taken - 1] ?? last;
    hasMore = taken < found.length;
    if (hasMore || found.length < asked) break;
  }
  const headers: Record<string, string> = { 'content-type': 'application/json', ...request.headers };
  if (hasMore && last !== undefined) headers['link'] = nextLink(path, { ...query, after: toCursor(last) });
  return answer(page.toJson(), headers);
};

/** One for all lists, since they share the memory. */
const answer = createOutbox();

/** Items as JSON, up to `pageBytesMax`. */
const createPage = <Item>(toBody: (item: Item) => object) => {
  /** Arrays, each of some of the items: nearly always one. */
  const pieces: string[] = [];
  let bytes = 0;

  /** Adds the items that fit, from the first on. Returns their number. */
  const add = (items: readonly Item[]): number => {
    if (items.length === 0) return 0;
    const piece = JSON.stringify(items.map(toBody));
    const pieceBytes = Buffer.byteLength(piece);
    // Where all together do not fit, one of them is the first that does not.
    if (bytes + pieceBytes > pageBytesMax) return items.length === 1 ? 0 : items.findIndex((item) => add([item]) === 0);
    pieces.push(piece);
    bytes += pieceBytes;
    return items.length;
  };

  const toJson = (): string =>
    pieces.length === 1 ? `${pieces[0]}` : `[${pieces.map((array) => array.slice(1, -1)).join(',')}]`;

  return { add, toJson };
};

/** Relative to the host, so that it works behind a proxy (RFC 8288 §3). */
const nextLink = (path: string, query: PageRequest<never>['query']): string => {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return `<${path}?${parameters.join('&')}>; rel="next"`;
};

/**
 * Pages of a list. A page has the number of items that the client requests, or fewer to stay within `pageBytesMax`. If there are
 * more items, a `Link` header has the address of the next page. The store is read in small pieces, to save memory. Each is a step of a
 * long read.
 */
import { emptyPage, type JsonPage } from '../base/page.ts';
import { invalidParameters } from './faults.ts';
import { createLongReads, type LongRead, stepRowsMax } from './long-reads.ts';
import { type Bytes, beginParts, type Parts, respond } from './responder.ts';
import { t } from './schema.ts';

/** @limit Requests | Items in a page, 100 by default | 400 */
const limitMax = 1000;

const limitFault = { name: 'limit', rule: `must be an integer from 1 to ${limitMax}` };
export const invalidLimit = invalidParameters(limitFault);

export const limitOf = (what: string) =>
  t.IntegerText({
    minimum: 1,
    maximum: limitMax,
    default: 100,
    examples: [10],
    description: `Maximum number of ${what} in the page, which ends earlier at 1 MiB.`,
    error: limitFault.rule,
  });

/** How far the items of a list are counted, so that a count takes no longer than a page. */
const countMax = 1000;

const countFault = { name: 'count', rule: 'must be true or false' };
export const invalidCount = invalidParameters(countFault);

export const countParameter = t.Optional(
  t.BooleanText({
    examples: [true],
    description: `If true, the header \`X-Total-Count\` has the number of items in all pages. Beyond ${countMax} it is \`${countMax}+\`.`,
    error: countFault.rule,
  }),
);

interface PageRequest {
  /** A page that takes several steps ends when its client has disconnected. */
  readonly request: Pick<Request, 'signal'>;
  /** The headers of the response, without `Link` and `X-Total-Count`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The query of this page, in the order for the link to the next page. */
  readonly query: {
    readonly limit: string | number;
    /** An empty cursor is the same as none. */
    readonly after: string | undefined;
    readonly [name: string]: string | number | readonly string[] | undefined;
  };
  /** Reads at most `limit` items: those after this cursor, or from the start. Resolves with the cursor of the items after them. */
  readonly list: (limit: number, after: string | undefined) => Promise<JsonPage<string>>;
  /** How many rows an item costs: see `long-reads.ts`. */
  readonly rowsOfItem?: number;
  /** Only of a list that looks for its items without an index: how often `list` may be called, each time for `stepRowsMax` rows at most. */
  readonly scanSteps?: number | undefined;
  /** Counts the items of the list, to `limit` at most. Omitted if they are not counted. */
  readonly count?: ((limit: number) => Promise<number>) | undefined;
}

/**
 * The maximum size of a page, in bytes. A single item is smaller.
 *
 * @limit Requests | Size of a page | the page ends earlier
 */
export const pageBytesMax = 1024 * 1024;

/** How many items are read at a time: a page of the usual size. */
const pieceItems = 100;

/** Responds with a page and the link to the next one. Rejects with AppError `unavailable` if too many pages are read, or wait for clients. */
export const pageResponse = async (request: PageRequest): Promise<Response> => {
  const { headers, query, count, rowsOfItem = 1, scanSteps } = request;
  const listedRows = scanSteps === undefined ? Number(query.limit) * rowsOfItem : scanSteps * stepRowsMax;
  const pageRows = Math.min(listedRows, pageRowsMax);
  using reading = longReads.begin(count ? pageRows + countRows : pageRows);
  const total = count && (await reading.step(countRows, () => count(countMax + 1)));
  const { pieces, end } = await readPage(reading, request);
  return respond(partsOf(pieces), {
    'content-type': 'application/json',
    ...headers,
    ...(total !== undefined && { 'x-total-count': total > countMax ? `${countMax}+` : `${total}` }),
    ...(end !== undefined && { link: nextLink({ ...query, after: end }) }),
  });
};

/** One for all lists, since they share the store. */
const longReads = createLongReads();

/** Begins a long read beside those of pages, as `createLongReads` has it. */
export const beginLongRead = longReads.begin;

/** The cost of a page, at most: if an item costs as many rows as it can, the page ends at `pageBytesMax`. */
const pageRowsMax = 10 * stepRowsMax;

/** A count looks at the keys in an index. */
const countRows = stepRowsMax;

interface PageInPieces {
  /** JSON arrays, each with some of the items. Usually there is only one. */
  readonly pieces: readonly Bytes[];
  readonly end: string | undefined;
}

/** Reads as many items as the limit, `scanSteps` and `pageBytesMax` permit. */
const readPage = async (
  reading: LongRead,
  { request, query, list, rowsOfItem = 1, scanSteps }: PageRequest,
): Promise<PageInPieces> => {
  const limit = Number(query.limit);
  /** Begins with the second step: most pages have one. */
  let parts: Parts | undefined;
  const pieces: Bytes[] = [];
  let bytes = 0;
  let items = 0;
  let end = query.after || undefined;
  let atMost = Math.min(pieceItems, stepRowsMax / rowsOfItem);
  try {
    for (let step = 0; atMost > 0 && step !== scanSteps; step += 1) {
      if (step > 0 && request.signal.aborted) break;
      const count = Math.min(atMost, limit - items);
      const rows = scanSteps === undefined ? count * rowsOfItem : stepRowsMax;
      const piece = await reading.step(rows, () => list(count, end));
      if (bytes + piece.json.length > pageBytesMax) {
        // Fewer items may still fit.
        atMost = Math.floor(count / 2);
        continue;
      }
      pieces.push(piece.json);
      bytes += piece.json.length;
      items += piece.items ?? count;
      end = piece.end;
      if (end === undefined || items === limit) break;
      parts ??= beginParts();
      parts.count(piece.json);
    }
  } finally {
    parts?.end();
  }
  return { pieces, end };
};

/** The parts of one JSON array with all items. */
const partsOf = (pieces: readonly Bytes[]): readonly Bytes[] => {
  const [first = emptyPage.json, ...others] = pieces.filter(({ length }) => length > emptyPage.json.length);
  if (others.length === 0) return [first];
  return [first.subarray(0, -1), ...others.flatMap((piece) => [comma, piece.subarray(1, -1)]), close];
};

const comma = Buffer.from(',');
const close = Buffer.from(']');

/** Relative to the request (RFC 8288 §3), so that the link works behind a proxy that removes a prefix from the path. */
const nextLink = (query: PageRequest['query']): string => {
  let parameters = '';
  const add = (name: string, value: string | number): void => {
    parameters += `${parameters === '' ? '?' : '&'}${name}=${encodeURIComponent(value)}`;
  };
  for (const name in query) {
    const value = query[name];
    if (typeof value === 'string' || typeof value === 'number') add(name, value);
    else for (const one of value ?? []) add(name, one);
  }
  return `<${parameters}>; rel="next"`;
};

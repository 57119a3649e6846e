import { crc32 } from './crc32.ts';
import { int64Max, int64Min } from './int64.ts';
import { isStorableText } from './text.ts';

/** A page of a list as JSON, which an engine can write without an object for each row. */
export interface JsonPage<Key> {
  /** An array of the items, in UTF-8. */
  readonly json: Uint8Array<ArrayBuffer>;
  /** The key of the last item that was looked at, after which the next page begins. Omitted on the last page. */
  readonly end?: Key | undefined;
  /** The number of items. It can be omitted if there are as many as were requested, or on the last page. */
  readonly items?: number;
}

export const emptyPage: JsonPage<never> = { json: Buffer.from('[]') };

/** The first `limit` of the items. One more item shows that there is another page. */
export const toJsonPage = <Item, Key>(
  items: readonly Item[],
  limit: number,
  { toJson, keyOf }: { readonly toJson: (item: Item) => string; readonly keyOf: (item: Item) => Key },
): JsonPage<Key> => {
  const page = items.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.length,
    json: Buffer.from(`[${page.map(toJson).join(',')}]`),
    end: items.length > limit && last !== undefined ? keyOf(last) : undefined,
  };
};

/** All items by ascending id, in pages. `readPage` reads at most `limit` items, starting at an id. */
export async function* pagesOf<Item extends { readonly id: bigint }>(
  readPage: (from: bigint, limit: number) => Item[] | Promise<Item[]>,
): AsyncGenerator<readonly Item[]> {
  for (let from = int64Min; ; ) {
    const items = await readPage(from, pageRows);
    if (items.length > 0) yield items;
    const last = items.at(-1)?.id ?? int64Max;
    if (items.length < pageRows || last === int64Max) return;
    from = last + 1n;
  }
}

const pageRows = 1000;

/** A position in a list: a number, and a text, which is empty if the list needs none. */
interface Position {
  readonly number: bigint;
  readonly text: string;
}

/**
 * A cursor marks a position in a list by the last item of a page, so it stays valid while items are added or removed. It is opaque to
 * clients: the number of its list, the position and a CRC-32, in base64url. No two lists have the same number.
 */
export const encodeCursor = (list: number, { number, text }: Position): string => {
  const bytes = Buffer.alloc(headBytes);
  bytes.writeUInt8(list, 0);
  bytes.writeBigInt64BE(number, 1);
  const position = Buffer.concat([bytes, Buffer.from(text)]);
  const checksum = Buffer.alloc(checksumBytes);
  checksum.writeUInt32BE(crc32(position));
  return Buffer.concat([position, checksum]).toString('base64url');
};

/**
 * Undefined unless the cursor is exactly what `encodeCursor` returns for this list, and a database can store its text. Anyone can compute the
 * checksum, so the caller checks the text like any other input.
 */
export const decodeCursor = (list: number, cursor: string): Position | undefined => {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length < headBytes + checksumBytes) return undefined;
  const number = bytes.readBigInt64BE(1);
  const text = bytes.toString('utf8', headBytes, bytes.length - checksumBytes);
  const isExact = encodeCursor(list, { number, text }) === cursor;
  return isExact && isStorableText(text, textLengthMax) ? { number, text } : undefined;
};

/** One byte for the list, and eight for the number. */
const headBytes = 9;
const checksumBytes = 4;

/** The longest text in a cursor is the name of a plant. */
const textLengthMax = 500;
/** At most `limit` rows, which come after the one with this id in the order of the list. */
export interface Page<Id> {
  readonly limit: number;
  readonly after?: Id | undefined;
}

import { OperatorError } from '../../base/error.ts';
import { excerpt } from '../../base/printable.ts';

/** The bytes of a text file, without the byte order mark at its beginning. Throws OperatorError for a file in UTF-16. */
export async function* withoutMark(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let start: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of bytes) {
    if (!start) {
      yield chunk;
      continue;
    }
    start = Buffer.concat([start, chunk]);
    if (start.length < startBytes) continue;
    yield readStart(start);
    start = undefined;
  }
  if (start) yield readStart(start);
}

/** Two characters of UTF-16. */
const startBytes = 4;

const readStart = (start: Buffer): Buffer => {
  const utf16 = utf16Of(start);
  if (utf16 === undefined) return start.subarray(0, 3).equals(mark) ? start.subarray(3) : start;
  const [line] = new TextDecoder(utf16).decode(start.subarray(0, 1000)).split(/[\r\n]/);
  throw new OperatorError(
    `The file is in UTF-16; save it in UTF-8, as "CSV UTF-8" of a spreadsheet is. Its first line is ${excerpt(line ?? '', 100)}.`,
  );
};

const mark = Buffer.from('\uFEFF');

/** By the mark, or by the zeros of two ASCII characters, with which every file begins. */
const utf16Of = ([a = 0, b = 0, c = 0, d = 0]: Buffer): 'utf-16le' | 'utf-16be' | undefined => {
  if ((a === 0xff && b === 0xfe) || (a > 0 && b === 0 && c > 0 && d === 0)) return 'utf-16le';
  if ((a === 0xfe && b === 0xff) || (a === 0 && b > 0 && c === 0 && d > 0)) return 'utf-16be';
  return undefined;
};

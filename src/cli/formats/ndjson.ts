/** NDJSON: a JSON object a line, read by the strict parser of request bodies. */

import { bodyBytesMax, malformedJson } from '../../app-error.ts';
import { OperatorError } from '../../base/error.ts';
import { JsonError, parseJsonBytes } from '../../base/json.ts';
import { type ImportedPlant, plantToJson } from '../../plants/plant.ts';
import { type OnIgnored, type PlantFormat, toImportedPlant } from './format.ts';
import { withoutMark } from './utf8.ts';

export const ndjson: PlantFormat = {
  fieldWord: 'member',
  head: '',
  encode: (records) => records.map((record) => `${JSON.stringify(plantToJson(record))}\n`).join(''),
  async *readRows(bytes, onIgnored) {
    for await (const lines of splitLines(withoutMark(bytes))) {
      const rows = lines.filter(({ text }) => !isBlankLine(text));
      if (rows.length > 0)
        yield rows.map(({ line, text }) => ({
          line,
          raw: () => text.toString('latin1'),
          head: '',
          parse: () => parseLine(text, onIgnored),
        }));
    }
  },
};

interface Line {
  readonly line: number;
  readonly text: Buffer;
}

const newline = 0x0a;

/** Splits bytes at newlines, without empty lines. A line that is too long is cut one byte past the limit. */
async function* splitLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Line[]> {
  let rest = Buffer.alloc(0);
  let line = 1;
  for await (const chunk of bytes) {
    const lines: Line[] = [];
    const block = Buffer.concat([rest, chunk]);
    let start = 0;
    for (;;) {
      const end = block[start] === newline ? start : block.indexOf(newline, start);
      if (end === -1) break;
      if (end > start) lines.push({ line, text: block.subarray(start, Math.min(end, start + bodyBytesMax + 1)) });
      line += 1;
      start = end + 1;
    }
    rest = block.subarray(start, start + bodyBytesMax + 1);
    if (lines.length > 0) yield lines;
  }
  if (rest.length > 0) yield [{ line, text: rest }];
}

const isBlankLine = (text: Buffer): boolean => text.length < 100 && text.toString().trim() === '';

const parseLine = (text: Buffer, onIgnored?: OnIgnored): ImportedPlant => {
  if (text.length > bodyBytesMax) {
    throw new OperatorError(`The line is longer than ${bodyBytesMax} bytes.`);
  }
  try {
    return toImportedPlant(parseJsonBytes(text), onIgnored);
  } catch (error) {
    throw error instanceof JsonError ? new OperatorError(malformedJson[error.fault].message) : error;
  }
};

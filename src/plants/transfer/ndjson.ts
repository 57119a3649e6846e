/** NDJSON: a JSON object a line, read by the strict parser of request bodies. */

import { bodyBytesMax, malformedJson } from '../../base/app-error.ts';
import { OperatorError } from '../../base/error.ts';
import { JsonError, parseJsonBytes } from '../../base/json.ts';
import type { ImportedPlant } from '../import.ts';
import { type PlantRecord, plantToJson } from '../plant.ts';
import { type OnIgnored, type PlantFormat, toImportedPlant } from './format.ts';
import { withoutMark } from './utf8.ts';

export const ndjson: PlantFormat = {
  fieldWord: 'member',
  head: '',
  encode: (records) => records.map((record) => `${JSON.stringify(toRow(record))}\n`).join(''),
  async *readRows(bytes, onIgnored) {
    let isFirst = true;
    for await (const lines of splitLines(withoutMark(bytes))) {
      if (isFirst && beginsArray(lines[0]?.text)) throw new OperatorError(arrayInstead);
      isFirst = false;
      yield lines.map(({ line, text }) => ({
        line,
        lines: 1,
        raw: () => text.toString('latin1'),
        head: '',
        parse: () => parseLine(text, onIgnored),
      }));
    }
  },
};

/** Pictures are not in files. */
const toRow = (record: PlantRecord): object => {
  const { picture: _, ...members } = plantToJson(record);
  return members;
};

const arrayInstead =
  "The file is a JSON array, not NDJSON, which has one object on each line. jq 1.7 or later converts it: jq -c '.[]' FILE";

/** No line of NDJSON begins so. */
const beginsArray = (line: Buffer | undefined): boolean => line?.toString('latin1', 0, 100).trimStart()[0] === '[';

interface Line {
  readonly line: number;
  readonly text: Buffer;
}

const newline = 0x0a;

/** Splits bytes at newlines, without blank lines. A line that is too long is cut one byte past the limit. */
async function* splitLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Line[]> {
  let rest = Buffer.alloc(0);
  let line = 1;
  for await (const chunk of bytes) {
    const lines: Line[] = [];
    const block = Buffer.concat([rest, chunk]);
    let start = 0;
    for (;;) {
      while (block[start] === newline) {
        line += 1;
        start += 1;
      }
      const end = block.indexOf(newline, start);
      if (end === -1) break;
      const text = block.subarray(start, Math.min(end, start + bodyBytesMax + 1));
      if (!isBlankLine(text)) lines.push({ line, text });
      line += 1;
      start = end + 1;
    }
    rest = block.subarray(start, start + bodyBytesMax + 1);
    if (lines.length > 0) yield lines;
  }
  if (!isBlankLine(rest)) yield [{ line, text: rest }];
}

const isBlankLine = (text: Buffer): boolean =>
  text.length === 0 || (text.length < 100 && text.toString().trim() === '');

const parseLine = (text: Buffer, onIgnored?: OnIgnored): ImportedPlant => {
  if (text.length > bodyBytesMax) throw new OperatorError(`The line is longer than ${bodyBytesMax} bytes.`);
  try {
    return toImportedPlant(parseJsonBytes(text), onIgnored);
  } catch (error) {
    throw error instanceof JsonError ? new OperatorError(malformedJson[error.fault].message) : error;
  }
};

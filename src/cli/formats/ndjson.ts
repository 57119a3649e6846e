/** NDJSON: a JSON object a line, read by the strict parser of request bodies. */
import { OperatorError } from '../../base/error.ts';
import { JsonError, parseJsonBytes } from '../../base/json.ts';
import { bodyBytesMax, malformedJson } from '../../domain/error.ts';
import { type ImportedPlant, plantToJson } from '../../domain/plant.ts';
import { type PlantFormat, type Row, toPlant } from './format.ts';

export const ndjson: PlantFormat = {
  head: '',
  encode: (records) => records.map((record) => `${JSON.stringify(plantToJson(record))}\n`).join(''),
  async *readRows(bytes) {
    let line = 0;
    for await (const lines of splitLines(bytes)) {
      const rows: Row[] = [];
      for (const text of lines) {
        line += 1;
        if (!isBlank(text)) rows.push({ line, raw: () => text, head: '', parse: () => parseLine(text) });
      }
      if (rows.length > 0) yield rows;
    }
  },
};

const newline = 0x0a;

/** Splits bytes at newlines. A line that is too long is cut one byte past the limit. */
async function* splitLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer[]> {
  let rest = Buffer.alloc(0);
  for await (const chunk of bytes) {
    const lines: Buffer[] = [];
    let block = Buffer.concat([rest, chunk]);
    for (let end = block.indexOf(newline); end !== -1; end = block.indexOf(newline)) {
      lines.push(block.subarray(0, Math.min(end, bodyBytesMax + 1)));
      block = block.subarray(end + 1);
    }
    rest = block.subarray(0, bodyBytesMax + 1);
    if (lines.length > 0) yield lines;
  }
  if (rest.length > 0) yield [rest];
}

const isBlank = (text: Buffer): boolean => text.length === 0 || (text.length < 100 && text.toString().trim() === '');

const parseLine = (text: Buffer): ImportedPlant => {
  if (text.length > bodyBytesMax) {
    throw new OperatorError(`The line is longer than ${bodyBytesMax} bytes.`);
  }
  try {
    return toPlant(parseJsonBytes(text));
  } catch (error) {
    throw error instanceof JsonError ? new OperatorError(malformedJson[error.fault].sentence) : error;
  }
};

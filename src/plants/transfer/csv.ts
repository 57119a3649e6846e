/** CSV by RFC 4180, in UTF-8, with a header. A missing member is an empty field, an empty text one in quotes. */
import { stringify } from 'csv-stringify/sync';
import { bodyBytesMax } from '../../base/app-error.ts';
import { OperatorError } from '../../base/error.ts';
import { countOf } from '../../base/text.ts';
import { type CsvHeader, isBlank, readHeader } from './csv-header.ts';
import { type CsvRecord, readRecords } from './csv-records.ts';
import {
  columnNames,
  type FileRow,
  isColumn,
  type OnIgnored,
  type PlantFormat,
  readColumn,
  toImportedPlant,
} from './format.ts';
import { withoutMark } from './utf8.ts';

export const csv: PlantFormat = {
  fieldWord: 'column',
  head: `${columnNames.join(',')}\r\n`,
  encode: (records) =>
    stringify(
      records.map((record) => columnNames.map((column) => record[column])),
      { record_delimiter: '\r\n', quoted_string: true },
    ),
  async *readRows(bytes, onIgnored) {
    let header: CsvHeader | undefined;
    for await (const records of readRecords(withoutMark(bytes))) {
      const rows: FileRow[] = [];
      for (const record of records) {
        if (header) rows.push(createRow(header, record, onIgnored));
        else {
          header = readHeader(record.bytes, record.fields);
          for (const name of header.names) if (!isColumn(name) && !isBlank(name)) onIgnored?.(name);
        }
      }
      yield rows;
    }
    if (!header) throw new OperatorError('The file is empty; it must begin with a header.');
  },
};

const createRow = (
  { text: head, names, fieldsMin }: CsvHeader,
  { line, lines, fields, bytes }: CsvRecord,
  onIgnored?: OnIgnored,
): FileRow => ({
  line,
  lines,
  raw: () => bytes,
  head,
  parse: () => {
    if (bytes.length > bodyBytesMax) throw new OperatorError(`The row is longer than ${bodyBytesMax} bytes.`);
    if (!fields)
      throw new OperatorError(
        'The row is not valid UTF-8; save the file in UTF-8, as "CSV UTF-8" of a spreadsheet is.',
      );
    if (fields.length < fieldsMin || fields.length > names.length)
      throw new OperatorError(`The row has ${countOf(fields.length, 'field')}; the header has ${names.length}.`);
    const members: Record<string, unknown> = {};
    for (const [at, name] of names.entries()) {
      const field = fields[at];
      if (field === undefined) continue;
      if (isColumn(name)) members[name] = readColumn(name, field);
      else if (isBlank(name)) onIgnored?.('');
    }
    return toImportedPlant(members, onIgnored);
  },
});

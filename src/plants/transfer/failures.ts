/** What can be wrong with a file that a client sends. */
import { failure, importBytesMax, importRowsMax, invalidBody } from '../../base/app-error.ts';
import { countOf } from '../../base/text.ts';

/** The problem is one of its format, in the words of the command `import`. */
export const unreadableFile = failure('malformed_body');

interface RowFault {
  readonly line: number;
  readonly message: string;
}

/** So many rows were rejected, and this is the first one. */
const messageOf = (count: number, { line, message }: RowFault): string =>
  `${countOf(count, 'row')} rejected, so nothing was imported; dryRun=true lists all. Line ${line}: ${message}`;

export const invalidRows = (count: number, first: RowFault) => invalidBody(messageOf(count, first));
export const takenRows = (count: number, first: RowFault) => failure('id_taken')(messageOf(count, first));

const bodyTooLarge = failure('body_too_large');
export const fileTooLarge = bodyTooLarge(`The file is larger than ${importBytesMax} bytes.`);
export const tooManyRows = bodyTooLarge(`The file has more than ${importRowsMax} rows.`);

export const tooManyImports = failure('unavailable')('Too many imports are in progress; nothing was changed.');

export const tooManyExports = failure('unavailable')('Too many exports are in progress.');
/** Only for the log: the response has begun. */
export const exportTooLarge = failure('unavailable')('An export is too large for its temporary file.');

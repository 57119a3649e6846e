/** What can be wrong with a file that a client sends. */
import { failure, importBytesMax, importRowsMax, invalidBody } from '../../base/app-error.ts';
import { countOf } from '../../base/text.ts';

/** The problem is one of its format, in the words of the command `import`. */
export const unreadableFile = failure('malformed_body');

/** The rows for which nothing was imported: their number, and the first one. */
interface RejectedRows {
  readonly count: number;
  readonly line: number;
  readonly reason: string;
}

const messageOf = ({ count, line, reason }: RejectedRows): string =>
  `${countOf(count, 'row')} rejected, so nothing was imported; dryRun=true lists all. Line ${line}: ${reason}`;

export const invalidRows = (rows: RejectedRows) => invalidBody(messageOf(rows));
export const takenRows = (rows: RejectedRows) => failure('id_taken')(messageOf(rows));

const bodyTooLarge = failure('body_too_large');
export const fileTooLarge = bodyTooLarge(`The file is larger than ${importBytesMax} bytes.`);
export const tooManyRows = bodyTooLarge(`The file has more than ${importRowsMax} rows.`);

export const tooManyImports = failure('unavailable')('Too many imports are in progress; nothing was changed.');

export const tooManyExports = failure('unavailable')('Too many exports are in progress.');
/** Only for the log: the response has begun. */
export const exportTooLarge = failure('unavailable')('An export is too large for its temporary file.');

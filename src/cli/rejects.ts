import { closeSync, openSync, writeFileSync } from 'node:fs';
import { OperatorError, withFile } from '../base/error.ts';
import { createDraft, isTakenName } from '../base/temporary-file.ts';
import { countOf } from '../base/text.ts';
import type { RejectedRow } from '../plants/transfer/import-rows.ts';
import type { Context } from './context.ts';

export type Rejects = ReturnType<typeof createRejects>;

/** @limit Processes | Rejected rows that `import` prints | the others are counted */
const printedRowsMax = 100;

/**
 * The rows that an import rejects. They go to a file at `path`, which begins as a draft with the first row; without a path,
 * every row must be valid. Throws OperatorError when the name is taken.
 */
export const createRejects = (path: string | undefined, printMessage: Context['printMessage']) => {
  if (path !== undefined && isTakenName(path)) {
    throw new OperatorError(`${path} exists; choose another file for the rejected rows with --rejects.`);
  }
  const printed: string[] = [];
  let count = 0;
  let file: ReturnType<typeof createRejectsFile> | undefined;

  const throwIfInvalid = (): void => {
    if (path !== undefined || count === 0) return;
    // The rest of the file is not read then.
    const rows = count === printedRowsMax ? `At least ${count} rows` : countOf(count, 'row');
    throw new OperatorError(`${rows} ${count === 1 ? 'is' : 'are'} invalid; nothing was imported.`);
  };

  return {
    get count() {
      return count;
    },
    /** Throws as `throwIfInvalid` does, once so many rows are rejected that the import stops early. */
    add: (row: RejectedRow, reason: string): void => {
      count += 1;
      if (printed.length < printedRowsMax) printed.push(`line ${row.line}: ${reason}`);
      if (path !== undefined) {
        try {
          file ??= createRejectsFile(path, row.head);
          writeFileSync(file.descriptor, `${row.raw}\n`, 'latin1');
        } catch (error) {
          throw withFile('write', path, error);
        }
      }
      if (count === printedRowsMax) throwIfInvalid();
    },
    /** Throws OperatorError when every row must be valid and some are not. */
    throwIfInvalid,
    /** Gives the file its name, or leaves it under the name of the draft if the name is taken by now. Prints the name. */
    keep: (): void => {
      if (path === undefined || !file) return;
      const { draft } = file;
      // The import is committed, so the rows are kept whatever happens to the name.
      draft.leave();
      try {
        draft.take({ replace: false });
        printMessage(`The rejected rows are in ${path}.`);
      } catch {
        printMessage(`The rejected rows are in ${draft.path}.`);
      }
    },
    /** Prints the first rows with their reasons, and the number of the others. */
    print: (): void => {
      for (const line of printed) printMessage(line);
      if (count > printed.length) printMessage(`… and ${count - printed.length} more`);
    },
    [Symbol.dispose]: (): void => {
      if (!file) return;
      closeSync(file.descriptor);
      file.draft[Symbol.dispose]();
    },
  };
};

const createRejectsFile = (path: string, head: string) => {
  const draft = createDraft(path);
  const descriptor = openSync(draft.path, 'a');
  if (head !== '') writeFileSync(descriptor, `${head}\n`);
  return { draft, descriptor };
};

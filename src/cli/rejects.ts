/** The rows that an import does not take: it counts them, prints the first with line and reason, and keeps all in a file if asked. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { createDraft, type Draft, isTakenName } from '../base/draft.ts';
import { OperatorError } from '../base/operator-error.ts';
import type { Row } from './formats/format.ts';

export interface Rejects extends Disposable {
  readonly count: number;
  /** Throws OperatorError once there are so many that the rest of the file does not matter. */
  add(row: Row, reason: string): void;
  /** Throws OperatorError when all rows had to fit and some did not. */
  throwIfRefused(): void;
  /**
   * Gives the file its name, or leaves it under that of the draft when another file has it by now, and prints which. A file
   * that is not kept is removed in the end.
   */
  keep(): void;
  /** Prints the first of them, and how many more there are. */
  print(): void;
}

const printedRowsMax = 100;
const lineEnd = Buffer.from('\n');

/**
 * `path` is where rejected rows go; without it, every row has to fit. The file is made with the first row, as a draft. Throws
 * OperatorError when there is a file of that name.
 */
export const createRejects = (path?: string): Rejects => {
  if (path !== undefined && isTakenName(path)) {
    throw new OperatorError('The file for the rejected rows is there already; --rejects names another.');
  }
  const printed: string[] = [];
  let count = 0;
  let file: { readonly draft: Draft; readonly descriptor: number } | undefined;

  const write = ({ head, raw }: Row): void => {
    if (path === undefined) return;
    if (file === undefined) {
      const draft = createDraft(path);
      file = { draft, descriptor: openSync(draft.path, 'a') };
      if (head !== '') writeSync(file.descriptor, `${head}\n`);
    }
    writeSync(file.descriptor, Buffer.concat([raw(), lineEnd]));
  };

  const refusal = (): OperatorError => new OperatorError(`${count} of the rows do not fit; nothing was imported.`);

  return {
    get count() {
      return count;
    },
    add: (row, reason) => {
      count += 1;
      if (printed.length < printedRowsMax) printed.push(`line ${row.line}: ${reason}`);
      write(row);
      if (path === undefined && count === printedRowsMax) throw refusal();
    },
    throwIfRefused: () => {
      if (path === undefined && count > 0) throw refusal();
    },
    keep: () => {
      if (path === undefined || !file) return;
      const { draft } = file;
      // The import is committed: whatever goes wrong with the name, the rows are kept, and it is said where.
      draft.leave();
      try {
        draft.take({ replace: false });
        console.error(`The rejected rows are in ${path}.`);
      } catch {
        console.error(`The rejected rows are in ${draft.path}.`);
      }
    },
    print: () => {
      for (const line of printed) console.error(line);
      if (count > printed.length) console.error(`and ${count - printed.length} more`);
    },
    [Symbol.dispose]: () => {
      if (!file) return;
      closeSync(file.descriptor);
      file.draft[Symbol.dispose]();
    },
  };
};

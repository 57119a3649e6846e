/** The rows that an import does not take: counted, the first of them told with line and reason, and kept in a file if asked. */
import { closeSync, existsSync, openSync, rmSync, writeSync } from 'node:fs';
import { AppError } from '../domain/error.ts';
import type { Row } from './plant-format.ts';

export interface Rejects extends Disposable {
  readonly count: number;
  /** Throws AppError `invalid_body` once there are so many that going on tells nobody more. */
  add(row: Row, reason: string): void;
  /** Throws AppError `invalid_body` when all rows had to fit and some did not. */
  throwIfRefused(): void;
  /** Keeps the file, which is otherwise removed in the end. */
  keep(): void;
  print(): void;
}

const toldMax = 100;
const lineEnd = Buffer.from('\n');

/**
 * `path` is where rejected rows go; without it, every row has to fit. The file is made with the first row. Throws AppError
 * `unavailable` when there is a file of that name.
 */
export const createRejects = (path?: string): Rejects => {
  if (path !== undefined && existsSync(path)) {
    throw new AppError('unavailable', 'The file for the rejected rows is there already; --rejects names another.');
  }
  const told: string[] = [];
  let count = 0;
  let descriptor: number | undefined;
  let isKept = false;

  const write = ({ head, raw }: Row): void => {
    if (path === undefined) return;
    if (descriptor === undefined) {
      descriptor = openSync(path, 'wx');
      if (head !== '') writeSync(descriptor, `${head}\n`);
    }
    writeSync(descriptor, Buffer.concat([raw(), lineEnd]));
  };

  const refuse = (): never => {
    throw new AppError('invalid_body', `${count} of the rows do not fit; nothing was imported.`);
  };

  return {
    get count() {
      return count;
    },
    add: (row, reason) => {
      count += 1;
      if (told.length < toldMax) told.push(`line ${row.line}: ${reason}`);
      write(row);
      if (path === undefined && count === toldMax) refuse();
    },
    throwIfRefused: () => {
      if (path === undefined && count > 0) refuse();
    },
    keep: () => {
      isKept = true;
    },
    print: () => {
      for (const line of told) console.error(line);
      if (count > told.length) console.error(`and ${count - told.length} more`);
      if (isKept && descriptor !== undefined) console.error(`The rejected rows are in ${path}.`);
    },
    [Symbol.dispose]: () => {
      if (path === undefined || descriptor === undefined) return;
      closeSync(descriptor);
      if (!isKept) rmSync(path);
    },
  };
};

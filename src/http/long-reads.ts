/**
 * Reads that can be long: pages of lists, searches and counts. Such a read is a sequence of short steps. Each step looks at `stepRowsMax` rows
 * of the store at most, a millisecond of work on either engine. A row that costs more than a look at it, such as a delivery with all its attempts,
 * counts as several.
 *
 * The steps of all reads take turns: the steps in progress look at `rowsAtOnceMax` rows at most, and others begin when these have ended and
 * the event loop has made a turn, in the order in which they were asked for. Only these steps wait. What looks at one row, such as a get,
 * the look-up of a token, a write, and a read of the sender, is never behind more than that.
 *
 * Each read says how many rows it may look at in all. When those of the reads in progress exceed `rowsInAllMax`, further ones are refused. A
 * read of a few rows by an index, such as a page of the usual size, does neither wait nor count: with turns it would take 7 % more CPU.
 */
import { AppError, tooManyLongReads } from '../base/app-error.ts';

export const stepRowsMax = 1000;

const shortRowsMax = 100;

/** The steps in progress: two, so that on a server one is read while the rows of the other arrive. */
const defaultRowsAtOnceMax = 2 * stepRowsMax;

/** @limit Requests | Rows that all lists and searches in progress may look at, about a second of work | 503 */
const defaultRowsInAllMax = 2_000_000;

export interface LongRead extends Disposable {
  /** Runs a step, which looks at so many rows, when it is its turn. */
  step<Result>(rows: number, read: () => Promise<Result>): Promise<Result>;
}

/** The long reads of a process. */
export const createLongReads = ({ rowsAtOnceMax = defaultRowsAtOnceMax, rowsInAllMax = defaultRowsInAllMax } = {}) => {
  const waiting: { readonly rows: number; readonly begin: () => void }[] = [];
  let rowsInAll = 0;
  let rowsAtOnce = 0;
  /** Those of steps that have ended in this turn of the event loop. */
  let rowsEnded = 0;

  const mayBegin = (rows: number): boolean => rowsAtOnce === 0 || rowsAtOnce + rows <= rowsAtOnceMax;

  const begin = (rows: number): Promise<void> | undefined => {
    if (waiting.length > 0 || !mayBegin(rows)) return new Promise((begin) => waiting.push({ rows, begin }));
    rowsAtOnce += rows;
    return undefined;
  };

  const end = (rows: number): void => {
    if (rowsEnded === 0) setImmediate(nextTurn);
    rowsEnded += rows;
  };

  const nextTurn = (): void => {
    rowsAtOnce -= rowsEnded;
    rowsEnded = 0;
    for (let next = waiting[0]; next && mayBegin(next.rows); next = waiting[0]) {
      waiting.shift();
      rowsAtOnce += next.rows;
      next.begin();
    }
  };

  return {
    /** Begins a read, to be disposed of, which looks at so many rows in all. Throws AppError `unavailable` if there are too many. */
    begin: (rows: number): LongRead => {
      if (rows <= shortRowsMax) return shortRead;
      if (rowsInAll > 0 && rowsInAll + rows > rowsInAllMax) throw new AppError(tooManyLongReads);
      rowsInAll += rows;
      return {
        step: async (rows, read) => {
          const turn = begin(rows);
          if (turn) await turn;
          try {
            return await read();
          } finally {
            end(rows);
          }
        },
        [Symbol.dispose]: () => {
          rowsInAll -= rows;
        },
      };
    },
  };
};

const shortRead: LongRead = { step: (_, read) => read(), [Symbol.dispose]: () => {} };

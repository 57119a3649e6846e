/**
 * The rows of an import, for the command and for the API. All are checked before the transaction begins: the valid ones wait in a spool, and the
 * others are rejected. So other writes do not wait for a slow sender, or for rows that are not put.
 */
import { idTaken } from '../../base/app-error.ts';
import { OperatorError } from '../../base/error.ts';
import type { Spool } from '../../base/spool.ts';
import type { ImportedPlant } from '../import.ts';
import type { PutOutcome, PutPlants } from '../store.ts';
import type { FileRow } from './format.ts';

/** What to do if the id belongs to a different plant. `fail` rejects the row. */
export const conflictRules = ['fail', 'skip', 'replace'] as const;
export type OnConflict = (typeof conflictRules)[number];

/** A row of a file (`format.ts`), with its bytes. */
export interface RejectedRow {
  readonly line: number;
  readonly lines: number;
  readonly head: string;
  readonly raw: string;
}

/** A valid row. It is rejected later if the id of its plant is taken. */
export interface CheckedRow extends RejectedRow {
  readonly plant: ImportedPlant;
}

/** May throw to end the import. */
type Reject = (row: RejectedRow, reason: string) => void;

interface CheckOptions {
  /** Whether `raw` and `head` of the valid rows are needed. Otherwise they are empty. */
  readonly keepsText: boolean;
  readonly reject: Reject;
  readonly spool: Pick<Spool<readonly CheckedRow[]>, 'add'>;
}

/** Adds the valid rows to `spool`, returns their number, and rejects the others. */
export const checkRows = async (
  batches: AsyncIterable<readonly FileRow[]>,
  { keepsText, reject, spool }: CheckOptions,
): Promise<number> => {
  const checkRow = ({ line, lines, head, raw, parse }: FileRow): CheckedRow[] => {
    try {
      const plant = parse();
      return [{ line, lines, head: keepsText ? head : '', raw: keepsText ? raw() : '', plant }];
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      reject({ line, lines, head, raw: raw() }, error.message);
      return [];
    }
  };
  let validRows = 0;
  for await (const rows of batches) {
    const valid = rows.flatMap(checkRow);
    if (valid.length > 0) spool.add(valid);
    validRows += valid.length;
  }
  return validRows;
};

/** The number of rows with each outcome. */
export type Counts = Record<PutOutcome, number>;

interface PutOptions {
  readonly put: PutPlants;
  readonly onConflict: OnConflict;
  readonly reject: Reject;
}

/** Puts the plants of checked rows, and resolves to the counts. With `fail`, rows whose id is taken are rejected. */
export const putRows = async (
  batches: Iterable<readonly CheckedRow[]> | AsyncIterable<readonly CheckedRow[]>,
  { put, onConflict, reject }: PutOptions,
): Promise<Counts> => {
  const counts: Counts = { created: 0, unchanged: 0, replaced: 0, taken: 0 };
  await inPairs(batches, async (rows) => {
    const plants = rows.map(({ plant }) => plant);
    const outcomes = await put(plants, onConflict === 'replace' ? 'replace' : 'leave');
    for (const [index, row] of rows.entries()) {
      const outcome = outcomes[index] ?? 'unchanged';
      counts[outcome] += 1;
      if (outcome === 'taken' && onConflict === 'fail') reject(row, idTaken.message);
    }
  });
  return counts;
};

/** Calls `use` with each item, and with the next one before it has ended. The next rows are read and encoded while the store puts others. */
const inPairs = async <Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  use: (item: Item) => Promise<void>,
): Promise<void> => {
  let earlier: Promise<void> = Promise.resolve();
  for await (const item of items) {
    const own = use(item);
    // The loop waits for it in its next turn.
    own.catch(() => {});
    await earlier;
    earlier = own;
  }
  await earlier;
};

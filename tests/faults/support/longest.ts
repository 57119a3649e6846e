/** The longest time of each kind that a trial has measured, as a table. */
export interface Longest {
  /** Remembers a time in milliseconds if it is the longest yet in its row and column. */
  readonly note: (row: string, column: string, ms: number) => void;
  readonly print: () => void;
}

export const createLongest = (): Longest => {
  const rows: Record<string, Record<string, number>> = {};
  return {
    note: (row, column, ms) => {
      const before = rows[row];
      rows[row] = { ...before, [column]: Math.max(before?.[column] ?? 0, Math.round(ms)) };
    },
    print: () => console.table(rows),
  };
};

/** Which element of a table gets the focus by a key. Each row has the same stops, such as its cells and buttons, or fewer. */

export interface Stop {
  readonly row: number;
  /** The position in its row. */
  readonly index: number;
}

/** `counts` are the numbers of stops in each row. Undefined for another key, and at an end. */
export const nextStop = (counts: readonly number[], { row, index }: Stop, key: string): Stop | undefined => {
  const at = (toRow: number, toIndex: number): Stop | undefined => {
    const count = counts[toRow];
    if (count === undefined || count === 0 || toIndex < 0) return undefined;
    return { row: toRow, index: Math.min(toIndex, count - 1) };
  };
  switch (key) {
    case 'ArrowDown':
      return at(row + 1, index);
    case 'ArrowUp':
      return at(row - 1, index);
    case 'ArrowRight':
      return index + 1 < (counts[row] ?? 0) ? at(row, index + 1) : undefined;
    case 'ArrowLeft':
      return at(row, index - 1);
    case 'Home':
      return at(row, 0);
    case 'End':
      return at(row, Number.MAX_SAFE_INTEGER);
    default:
      return undefined;
  }
};

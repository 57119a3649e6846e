/**
 * Which events a pruning removes. Only the beginning of the log is removed, never a part of its middle, so that the oldest event shows which
 * events were removed.
 */
import type { Sequenced } from './event.ts';

type LogRow = Pick<Sequenced, 'sequence' | 'timestamp'>;

/** The beginning of these rows, which are the first ones of the log, from before this time (RFC 3339, UTC). */
export const takeOld = <Row extends LogRow>(rows: readonly Row[], before: string): readonly Row[] => {
  const end = rows.findIndex(({ timestamp }) => timestamp >= before);
  return end === -1 ? rows : rows.slice(0, end);
};

export interface PruningPlan {
  /** All events up to this sequence are removed. Undefined if none is. */
  readonly last: bigint | undefined;
  /** Their number. */
  readonly count: number;
}

/** `old` are the first events of the log, as `takeOld` returns them. */
export const planPruning = (
  old: readonly LogRow[],
  keep: {
    /** The newest event is never removed. */
    readonly newest: bigint | undefined;
    /** The positions of the enabled webhooks, and the first pending delivery of each, or of all. */
    readonly positions: readonly bigint[];
    readonly pending: readonly bigint[];
  },
): PruningPlan => {
  const isKept = ({ sequence }: LogRow): boolean =>
    sequence === keep.newest ||
    keep.positions.some((position) => sequence > position) ||
    keep.pending.some((first) => sequence >= first);
  const end = old.findIndex(isKept);
  const count = end === -1 ? old.length : end;
  return { last: old[count - 1]?.sequence, count };
};

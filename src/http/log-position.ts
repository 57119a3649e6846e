/**
 * The header of the response to a change: a log position, which is a sequence, that includes the change. None if no other process can be behind. The
 * log is in commit order and without gaps, so a standby that has replayed it up to there has all changes up to there (`app/read-only.ts`).
 */
export const positionIn = (position?: () => bigint): Record<string, string> =>
  position ? { 'x-log-position': `${position()}` } : {};

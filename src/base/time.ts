/** Times are RFC 3339, UTC, in milliseconds. Texts in this form sort in the order of the times. */

export const isInstant = (text: unknown): text is string =>
  typeof text === 'string' && /^\d{4}-/.test(text) && new Date(text).toJSON() === text;

export const later = (a: string, b: string): string => (a > b ? a : b);
export const earlier = (a: string, b: string): string => (a < b ? a : b);

/**
 * A clock for schedules, in milliseconds since the Unix epoch. It is monotonic from the time of day at its start: after a change of
 * the system clock, nothing becomes due too early or too late.
 */
export const createClock = () => {
  const startMs = Date.now() - performance.now();
  return { nowMs: (): number => startMs + performance.now() };
};

export type Clock = ReturnType<typeof createClock>;

const durationDaysMax = 36_500;

/** The form of a duration in a flag or a setting, as the end of a sentence that begins with "must be". */
export const durationForm = `a number and s, m, h or d, such as 90d, and at most ${durationDaysMax}d`;

/** The duration in milliseconds, above 0. Absent if the text is not a duration. */
export const durationMsOf = (text: string): number | undefined => {
  const [, count = '', unit = ''] = /^([1-9]\d{0,9})([smhd])$/.exec(text) ?? [];
  const durationMs = Number(count) * (unitMs[unit] ?? 0);
  return durationMs > 0 && durationMs <= durationDaysMax * dayMs ? durationMs : undefined;
};

const dayMs = 86_400_000;
const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: dayMs };

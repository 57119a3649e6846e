/** Durations as a person writes them, for flags and settings: `90d`, `12h`. */

const daysMax = 36_500;

/** What is accepted, as the end of a sentence that begins with "must be". */
export const durationForm = `a number and s, m, h or d, such as 90d, and at most ${daysMax}d`;

/** In milliseconds, and more than none. Absent when the text is not a duration. */
export const durationMsOf = (text: string): number | undefined => {
  const [, count = '', unit = ''] = /^([1-9]\d{0,9})([smhd])$/.exec(text) ?? [];
  const durationMs = Number(count) * (unitMs[unit] ?? 0);
  return durationMs > 0 && durationMs <= daysMax * dayMs ? durationMs : undefined;
};

const dayMs = 86_400_000;
const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: dayMs };

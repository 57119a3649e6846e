/** Times are RFC 3339, UTC, in milliseconds. Texts in this form sort in the order of the times. */

export const isInstant = (text: unknown): text is string =>
  typeof text === 'string' && /^\d{4}-/.test(text) && new Date(text).toJSON() === text;

/**
 * Converts a time of RFC 3339 to the form of `isInstant`. It may also have `+0200` or `+02` as its offset, as databases write it.
 * Undefined for any other text, for a leap second, and for a time that milliseconds cannot express.
 */
export const toInstant = (text: string): string | undefined => {
  const [, date, time, fraction = '', offset = ''] = rfc3339.exec(text) ?? [];
  const local = `${date}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
  // Neither 30 February nor 24:00.
  if (!isInstant(local) || /[1-9]/.test(fraction.slice(3))) return undefined;
  const [, sign, hours, minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(offset) ?? ['', '+', '0'];
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000;
  const instant = new Date(Date.parse(local) + (sign === '-' ? offsetMs : -offsetMs)).toJSON();
  return isInstant(instant) ? instant : undefined;
};

/** RFC 3339, section 5.6, permits lower case, and a space instead of T. */
const rfc3339 = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:\.(\d+))?([Zz]|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)$/;

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

/** The form of a duration in a flag or a setting, as the end of a message, after "must be". */
export const durationForm = `a number and s, m, h or d, such as 90d, and at most ${durationDaysMax}d`;

/** The duration in milliseconds, above 0. */
export const durationMsOf = (text: string): number | undefined => {
  const [, count = '', unit = ''] = /^([1-9]\d{0,9})([smhd])$/.exec(text) ?? [];
  const durationMs = Number(count) * (unitMs[unit] ?? 0);
  return durationMs > 0 && durationMs <= durationDaysMax * dayMs ? durationMs : undefined;
};

const dayMs = 86_400_000;
const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: dayMs };

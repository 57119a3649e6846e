/**
 * The time of a date in HTTP, in milliseconds since the Unix epoch. All three forms of RFC 9110 §5.6.7 are accepted; `Date.parse` would
 * read the form without a zone in that of the machine. Undefined for other texts. `nowMs` gives the century of a year with two digits.
 */
export const parseHttpDate = (text: string, nowMs: number): number | undefined => {
  for (const form of forms) {
    const { day, month, year = '', time } = form.exec(text)?.groups ?? {};
    if (day === undefined) continue;
    const fullYear = year.length === 4 ? year : withCentury(Number(year), new Date(nowMs).getUTCFullYear());
    // The last second of a minute can be a leap second.
    const ms = Date.parse(`${day.trim()} ${month} ${fullYear} ${time?.replace(/60$/, '59')} GMT`);
    return Number.isNaN(ms) ? undefined : ms;
  }
  return undefined;
};

const time = String.raw`(?<time>\d\d:\d\d:\d\d)`;
const month = '(?<month>[a-z]{3})';

const forms = [
  // Sun, 06 Nov 1994 08:49:37 GMT
  new RegExp(String.raw`^[a-z]{3}, (?<day>\d{1,2}) ${month} (?<year>\d{4}) ${time} (?:GMT|UTC|\+0000)$`, 'i'),
  // Sunday, 06-Nov-94 08:49:37 GMT
  new RegExp(String.raw`^[a-z]{6,9}, (?<day>\d{2})-${month}-(?<year>\d{2}) ${time} GMT$`, 'i'),
  // Sun Nov  6 08:49:37 1994
  new RegExp(String.raw`^[a-z]{3} ${month} (?<day>[ \d]\d) ${time} (?<year>\d{4})$`, 'i'),
];

/** A year that would be more than 50 years in the future is in the past. */
const withCentury = (year: number, thisYear: number): number => {
  const inThisCentury = thisYear - (thisYear % 100) + year;
  return inThisCentury > thisYear + 50 ? inThisCentury - 100 : inThisCentury;
};

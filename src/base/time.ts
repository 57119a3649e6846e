/** Times are RFC 3339, UTC, in milliseconds. Texts of this form sort as the times do. */

/** Whether the text is a time of this form. */
export const isInstant = (text: unknown): text is string =>
  typeof text === 'string' &&
  instantForm.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString() === text;

const instantForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export const later = (a: string, b: string): string => (a > b ? a : b);
export const earlier = (a: string, b: string): string => (a < b ? a : b);

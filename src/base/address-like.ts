/**
 * Texts that look like the address of a database: a URL, even a misspelt one, a connection string of libpq, or `user:password@host`.
 * A path that looks like one can be written as a file: URL.
 */

/** Whether the text looks like an address and not like a path. */
export const looksLikeAddress = (text: string): boolean =>
  mayHavePassword(text) || addresses.some((form) => form.test(decode(text)));

/** Whether the text looks like an address that can have a password. A name such as `plants-10:30.csv` does not. */
export const mayHavePassword = (text: string): boolean => logins.some((form) => form.test(decode(text)));

/** The text without the arguments that may have a password, and without secrets and tokens, for a message that repeats an argument. */
export const hideSecrets = (text: string, args: readonly string[]): string =>
  args
    .flatMap(hidden)
    .sort(([one], [other]) => other.length - one.length)
    .reduce((shown, [arg, instead]) => shown.replaceAll(arg, instead), text)
    .replaceAll(/\b(whsec_|plant_(?=\w{36}\b))[\w+/=-]+/g, '$1…');

/** The texts to replace, each with its replacement. The value of an option is hidden whatever it is, since the name may be misspelt. */
const hidden = (arg: string): (readonly [string, string])[] => {
  const [, option, value = arg] = /^(--[\w-]+=)(.*)$/s.exec(arg) ?? [];
  const found: (readonly [string, string])[] = mayHavePassword(value) ? [[value, '…']] : [];
  return option === undefined ? found : [[arg, `${option}…`], ...found];
};

const logins = [
  /:\/\//,
  // A path that begins with a folder, such as /, ./ or C:\, may have both characters.
  /^(?!\.{0,2}\/|[a-z]:[\\/])[^:]*:.*@/is,
  /^\/+[^/]*:[^/]*@/,
  /(?:password|pwd)\s*=/i,
];

const addresses = [
  // Quotation marks that belong to the value, as in the file of `docker --env-file`.
  /^\s*["'`]/,
  // A URL without its scheme or its colon, such as postgres//host.
  /^(?!\.{1,2}\/)[^/]*\/\//,
  // A relative path must not have a colon in its first segment (RFC 3986, section 4.2). C: is a drive.
  /^(?![a-z]:[\\/])[a-z][^/\\]*:/i,
  // A connection string of libpq.
  /^(?!\.{0,2}\/)(?:.*\s)?(?:host|hostaddr|port|user|dbname|service|sslmode)\s*=/is,
];

/** The text with its percent-encoded characters in plain, however often they are encoded. */
const decode = (text: string): string =>
  text.replaceAll(/%(?:25)*([2-7][\da-f])/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));

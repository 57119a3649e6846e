import Negotiator from 'negotiator';

/**
 * Reads a media type strictly, by RFC 9110 §8.3.1: the essence, `type/subtype`, in lower case, and the values of every `charset` and `boundary`.
 * Undefined for any other text. Libraries are lenient like browsers: they read a second header or charset as a parameter.
 */
export const parseMediaType = (text: string) => {
  const [, essence, parameters] = form.exec(text) ?? [];
  if (essence === undefined || parameters === undefined) return undefined;
  const valuesOf = (known: string): string[] =>
    [...parameters.matchAll(parameterForm)]
      .filter(([, name = '']) => name.toLowerCase() === known)
      .map(([, , value = '']) => unquote(value));
  return { essence: essence.toLowerCase(), charsets: valuesOf('charset'), boundaries: valuesOf('boundary') };
};

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const quoted = String.raw`"(?:[^"\\]|\\.)*"`;
const parameter = `(${token})=(${token}|${quoted})`;
const parameterForm = new RegExp(parameter, 'g');
/** Parameters may be empty. No two parts of the expression match the same space, so it takes linear time. */
const form = new RegExp(`^(${token}/${token})([ \\t]*(?:;[ \\t]*(?:${parameter}[ \\t]*)?)*)$`);

const unquote = (value: string): string => (value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value);

/** Whether a charset is a label of UTF-8, in any case and between any white space (https://encoding.spec.whatwg.org/#names-and-labels). */
export const isUtf8 = (charset: string): boolean => {
  const [, label = ''] = /^[\t\n\f\r ]*([!-~]+)[\t\n\f\r ]*$/.exec(charset) ?? [];
  return labelsOfUtf8.includes(label.toLowerCase());
};

const labelsOfUtf8 = ['unicode-1-1-utf-8', 'unicode11utf8', 'unicode20utf8', 'utf-8', 'utf8', 'x-unicode20utf8'];

/**
 * Returns the media type that the client prefers (RFC 9110 §12.5.1): by quality, then by specificity, then by the order in
 * `Accept`, then by the order of this list. Each is also available with a charset of UTF-8. Returns the first one if the client accepts none,
 * and if `Accept` is too long.
 */
export const preferredType = <Name extends string>(headers: Headers, available: readonly [Name, ...Name[]]): Name => {
  const accept = headers.get('accept');
  if (accept === null || accept.split(',', rangesMax + 1).length > rangesMax) return available[0];
  const labels = /charset/i.test(accept) ? labelsOfUtf8 : [];
  const types = available.flatMap((name) => [name, ...labels.map((label) => `${name}; charset=${label}`)]);
  const preferred = new Negotiator({ headers: { accept } }).mediaType(types);
  return available.find((name) => name === preferred?.split(';')[0]) ?? available[0];
};

/** @limit Requests | Media ranges in `Accept` | the header is ignored */
export const rangesMax = 32;

/** Whether a compressed response is acceptable, and preferred to a plain one (RFC 9110 §12.5.3). `x-gzip` is another name of gzip. */
export const prefersGzip = (headers: Headers): boolean => {
  const accepted = headers.get('accept-encoding')?.replace(/(^|,)([ \t]*)x-gzip\b/gi, '$1$2gzip') ?? '';
  return new Negotiator({ headers: { 'accept-encoding': accepted } }).encoding(['gzip', 'identity']) === 'gzip';
};

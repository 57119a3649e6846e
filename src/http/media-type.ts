import Negotiator from 'negotiator';

/**
 * Reads a media type strictly, by RFC 9110 §8.3.1: the essence, `type/subtype`, and the value of every `charset`, all in lower case.
 * Absent for any other text. Libraries are lenient like browsers: they read a second header or charset as a parameter.
 */
export const parseMediaType = (text: string) => {
  const [, essence, parameters] = form.exec(text) ?? [];
  if (essence === undefined || parameters === undefined) return undefined;
  const charsets = [...parameters.matchAll(parameterForm)]
    .filter(([, name = '']) => name.toLowerCase() === 'charset')
    .map(([, , value = '']) => unquote(value).toLowerCase());
  return { essence: essence.toLowerCase(), charsets };
};

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const quoted = String.raw`"(?:[^"\\]|\\.)*"`;
const parameter = `(${token})=(${token}|${quoted})`;
const parameterForm = new RegExp(parameter, 'g');
/** Parameters may be empty. No two parts of the expression match the same space, so it takes linear time. */
const form = new RegExp(`^(${token}/${token})([ \\t]*(?:;[ \\t]*(?:${parameter}[ \\t]*)?)*)$`);

const unquote = (value: string): string => (value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value);

/**
 * Returns the media type that the client prefers (RFC 9110 §12.5.1): by quality, then by specificity, then by the order in
 * `Accept`, then by the order of this list. Returns the first one if the client accepts none of them.
 */
export const preferredType = <Name extends string>(headers: Headers, available: readonly [Name, ...Name[]]): Name => {
  const accept = headers.get('accept');
  if (accept === null) return available[0];
  const preferred = new Negotiator({ headers: { accept } }).mediaType([...available]);
  return available.find((name) => name === preferred) ?? available[0];
};

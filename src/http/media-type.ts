/**
 * Media types by RFC 9110 §8.3.1, strictly. The parsers at hand follow browsers and forgive: to them two headers in one, or
 * two charsets, are a parameter more.
 */
export interface MediaType {
  /** `type/subtype`, in lower case. */
  readonly essence: string;
  /** Every `charset` that is given, in lower case. */
  readonly charsets: readonly string[];
}

/** Absent for what is no media type. */
export const parseMediaType = (text: string): MediaType | undefined => {
  const essence = essenceForm.exec(text)?.[0];
  if (essence === undefined) return undefined;
  const charsets: string[] = [];
  let end = essence.length;
  while (end < text.length) {
    parameterForm.lastIndex = end;
    const [whole, name, value = ''] = parameterForm.exec(text) ?? [];
    if (whole === undefined) return undefined;
    if (name?.toLowerCase() === 'charset') charsets.push(unquote(value).toLowerCase());
    end += whole.length;
  }
  return { essence: essence.toLowerCase(), charsets };
};

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const quoted = String.raw`"(?:[^"\\]|\\.)*"`;
const essenceForm = new RegExp(`^${token}/${token}`);
/** One parameter, which may be empty, with the semicolon before it. */
const parameterForm = new RegExp(String.raw`[ \t]*;[ \t]*(?:(${token})=(${token}|${quoted}))?[ \t]*`, 'y');

const unquote = (value: string): string => (value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value);

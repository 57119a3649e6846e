/** W3C Trace Context (https://www.w3.org/TR/trace-context/): the header `traceparent`. */

/**
 * The header as it is passed on, in version 00 and with the flags that this version has. Absent when the header is absent or not
 * valid (§3.2).
 */
export const readTraceparent = (header: string | null): string | undefined => {
  const [, version, ids, flags = '', rest] = form.exec(header ?? '') ?? [];
  if (ids === undefined || (version === '00' && rest !== undefined)) return undefined;
  return `00-${ids}-0${Number.parseInt(flags, 16) & flagsKnown}`;
};

/** The id of the trace, 32 hexadecimal digits, of a `traceparent` that `readTraceparent` has returned. */
export const traceIdOf = (traceparent: string): string => traceparent.slice(3, 35);

/** Version ff is forbidden, and so are ids of zeros alone. A later version may have more fields. */
const form = /^((?!ff)[\da-f]{2})-((?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** The flags `sampled` and `random`. */
const flagsKnown = 0b11;

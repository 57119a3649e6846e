/** Range requests (RFC 9110 §14) of one range of bytes. */

/** The first byte, and the one after the last. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The range that a `Range` header selects from `bytes` bytes. Undefined if the header is ignored: without one, and for several ranges,
 * other units, and what is invalid. `outside` if no byte is in the range.
 */
export const rangeIn = (header: string | undefined, bytes: number): ByteRange | 'outside' | undefined => {
  const [, first, last = '', suffix] = form.exec(header ?? '') ?? [];
  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), bytes);
    return length === 0 ? 'outside' : { start: bytes - length, end: bytes };
  }
  if (first === undefined || (last !== '' && Number(last) < Number(first))) return undefined;
  if (Number(first) >= bytes) return 'outside';
  return { start: Number(first), end: last === '' ? bytes : Math.min(Number(last) + 1, bytes) };
};

const form = /^bytes=[ \t]*(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))[ \t]*$/i;

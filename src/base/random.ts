import { getRandomValues } from 'node:crypto';

export const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Bytes past the last whole multiple of 62 are thrown away, so that every character is equally likely. */
export const randomBase62 = (length: number): string => {
  const fairByteMax = 256 - (256 % base62.length);
  let text = '';
  while (text.length < length) {
    for (const byte of getRandomValues(new Uint8Array(length))) {
      if (byte < fairByteMax && text.length < length) text += base62.charAt(byte % base62.length);
    }
  }
  return text;
};

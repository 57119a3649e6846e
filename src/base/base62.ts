import { randomInt } from 'node:crypto';

export const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Every character is equally likely. */
export const randomBase62 = (length: number): string =>
  Array.from({ length }, () => base62.charAt(randomInt(base62.length))).join('');

import { describe, expect, test } from 'bun:test';
import { crc32 } from 'node:zlib';
import {
  digestToken,
  generateToken,
  isTokenInForce,
  isTokenWellFormed,
  type TokenRecord,
} from '../../src/tokens/token.ts';

describe('the text of a token', () => {
  const token = generateToken();

  test('a token is `plant_`, 30 random characters and a checksum of 6 characters', () => {
    expect(token).toMatch(/^plant_[0-9A-Za-z]{36}$/);
    const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    const checksum = [...token.slice(-6)].reduce((sum, digit) => sum * 62 + alphabet.indexOf(digit), 0);
    expect(checksum).toBe(crc32(token.slice(6, 36)));
  });

  test('a token with one changed character is not well-formed', () => {
    expect(isTokenWellFormed(token)).toBe(true);
    for (let at = 0; at < token.length; at += 1) {
      const changed = token.slice(0, at) + (token[at] === 'x' ? 'y' : 'x') + token.slice(at + 1);
      expect(isTokenWellFormed(changed)).toBe(false);
    }
  });

  test.each(['', 'plant_', `${token}x`, ` ${token}`, token.slice(1), token.toUpperCase()])(
    'the text %p is not a token',
    (text) => {
      expect(isTokenWellFormed(text)).toBe(false);
    },
  );

  test('new tokens are unique, and have every character about equally often', () => {
    const made = new Set(Array.from({ length: 2000 }, generateToken));
    expect(made.size).toBe(2000);
    const counts = new Map<string, number>();
    for (const text of made)
      for (const character of text.slice(6, 36)) counts.set(character, (counts.get(character) ?? 0) + 1);
    const expected = (2000 * 30) / 62;
    expect(counts.size).toBe(62);
    for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(expected * 0.25);
  });

  test('a token is stored as its SHA-256', () => {
    expect(digestToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

describe('the validity of a token', () => {
  const now = new Date('2026-05-01T00:00:00.000Z');
  const token: TokenRecord = { id: 'tok_1', name: 'test', scopes: [], createdAt: '2026-01-01T00:00:00.000Z' };

  test.each<[string, Partial<TokenRecord>, boolean]>([
    ['valid without an expiry time', {}, true],
    ['valid a millisecond before its expiry time', { expiresAt: '2026-05-01T00:00:00.001Z' }, true],
    ['invalid at its expiry time', { expiresAt: '2026-05-01T00:00:00.000Z' }, false],
    ['invalid after it is revoked', { revokedAt: '2026-04-01T00:00:00.000Z' }, false],
    [
      'invalid after it is revoked, even before its expiry time',
      { revokedAt: '2026-04-01T00:00:00.000Z', expiresAt: '2027-01-01T00:00:00.000Z' },
      false,
    ],
  ])('a token is %s', (_when, change, isInForce) => {
    expect(isTokenInForce({ ...token, ...change }, now)).toBe(isInForce);
  });
});

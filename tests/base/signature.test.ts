/** Signatures of the service, verified by the library of Standard Webhooks and by the service itself. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { generateSecret, isSecret, isSignedWith, sign } from '../../src/base/signature.ts';
import { anyCharacter } from '../support/any-character.ts';

const nowSeconds = (): number => Math.floor(Date.now() / 1000);

const headersOf = (secrets: string[], { id = 'evt_1_x', timestamp = nowSeconds(), body = '{}' } = {}) => ({
  'webhook-id': id,
  'webhook-timestamp': `${timestamp}`,
  'webhook-signature': sign(secrets, { id, timestamp, body }),
});

test('the example of the specification has the signature that the specification gives', () => {
  // From the test vectors of https://github.com/standard-webhooks/standard-webhooks.
  const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1614265330, body: '{"test": 2432232314}' };
  expect(sign(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], message)).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  );
});

test('every signed message is accepted by an independent verifier, and by the service', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), fc.stringMatching(/^evt_\d+_[\w-]{16}$/), (text, id) => {
      const secret = generateSecret();
      const body = JSON.stringify({ text });
      const headers = headersOf([secret], { id, body });
      expect(new Webhook(secret).verify(body, headers)).toEqual({ text });
      const message = { id, timestamp: Number(headers['webhook-timestamp']), body };
      expect(isSignedWith(secret, headers['webhook-signature'], message)).toBe(true);
    }),
  );
});

test('while a secret is rotated, the signature is valid for the new and the old secret', () => {
  const [before, after] = [generateSecret(), generateSecret()];
  const headers = headersOf([after, before]);
  const message = { id: 'evt_1_x', timestamp: Number(headers['webhook-timestamp']), body: '{}' };
  for (const secret of [before, after]) {
    expect(new Webhook(secret).verify('{}', headers)).toEqual({});
    expect(isSignedWith(secret, headers['webhook-signature'], message)).toBe(true);
  }
});

describe('a forged message', () => {
  const secret = generateSecret();
  const good = headersOf([secret]);
  test.each<[string, string, string, Record<string, string>]>([
    ['a tampered body', secret, '{"a":1}', good],
    ['another id', secret, '{}', { ...good, 'webhook-id': 'evt_2_x' }],
    ['another time', secret, '{}', { ...good, 'webhook-timestamp': `${nowSeconds() + 1}` }],
    ['another secret', generateSecret(), '{}', good],
    [
      'a signature of another version',
      secret,
      '{}',
      { ...good, 'webhook-signature': good['webhook-signature'].replace('v1', 'v2') },
    ],
    ['a truncated signature', secret, '{}', { ...good, 'webhook-signature': good['webhook-signature'].slice(0, -4) }],
    [
      'a signature without its padding',
      secret,
      '{}',
      { ...good, 'webhook-signature': good['webhook-signature'].replace('=', '') },
    ],
    ['no signature', secret, '{}', { ...good, 'webhook-signature': '' }],
  ])('a message with %s is refused by an independent verifier, and by the service', (_what, key, body, headers) => {
    expect(() => new Webhook(key).verify(body, headers)).toThrow();
    const { 'webhook-id': id = '', 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
    expect(isSignedWith(key, signatures, { id, timestamp: Number(timestamp), body })).toBe(false);
  });

  test('a message that is older than five minutes is refused by an independent verifier', () => {
    const headers = headersOf([secret], { timestamp: nowSeconds() - 301 });
    expect(() => new Webhook(secret).verify('{}', headers)).toThrow();
  });
});

test.each([
  ['', false],
  ['whsec_', false],
  ['MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', false],
  ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', true],
  ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS', false],
  ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS!', false],
  ['secret_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'.slice(1), false],
  ['whsec_MfKQ9r8GKYqrTwjU\nPD8ILPZIo2LaLaSw', false],
  ['whsec-MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', false],
  [`whsec_${Buffer.alloc(23).toString('base64')}`, false],
  [`whsec_${Buffer.alloc(64).toString('base64')}`, true],
  [`whsec_${Buffer.alloc(65).toString('base64')}`, false],
])('isSecret(%p) returns %p', (text, expected) => {
  expect(isSecret(text)).toBe(expected);
});

test('every new secret is valid and unique', () => {
  const made = Array.from({ length: 100 }, generateSecret);
  expect(made.every(isSecret)).toBe(true);
  expect(new Set(made).size).toBe(100);
});

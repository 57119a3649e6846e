import { describe, expect, test } from 'bun:test';
import { rotateSecrets, secretsInForce, secretsMax, type WebhookRecord } from '../../src/webhooks/webhook.ts';

const at = (day: number): string => new Date(Date.UTC(2026, 0, day)).toISOString();

describe('secrets', () => {
  const start = new Date(at(1));
  const hours = (count: number): Date => new Date(start.getTime() + count * 3_600_000);
  const withSecrets = (secrets: WebhookRecord['secrets']): WebhookRecord => ({
    id: 'wh_1',
    url: 'https://example.com/',
    events: [],
    createdAt: at(1),
    position: 0n,
    secrets,
  });

  test('a secret is used for signatures until 24 hours after its rotation', () => {
    const secrets = rotateSecrets([{ text: 'a' }], 'b', start);
    expect(secretsInForce(withSecrets(secrets), hours(23.99))).toEqual(['b', 'a']);
    expect(secretsInForce(withSecrets(secrets), hours(24))).toEqual(['b']);
  });

  test('another rotation does not extend the lifetime of a previous secret, and removes an expired secret', () => {
    const once = rotateSecrets([{ text: 'a' }], 'b', start);
    const twice = rotateSecrets(once, 'c', hours(12));
    expect(secretsInForce(withSecrets(twice), hours(23))).toEqual(['c', 'b', 'a']);
    expect(secretsInForce(withSecrets(twice), hours(25))).toEqual(['c', 'b']);
    expect(rotateSecrets(twice, 'd', hours(25)).map(({ text }) => text)).toEqual(['d', 'c', 'b']);
  });

  test('a webhook keeps at most four secrets', () => {
    let secrets: WebhookRecord['secrets'] = [{ text: '0' }];
    for (let count = 1; count <= 9; count += 1) secrets = rotateSecrets(secrets, `${count}`, start);
    expect(secretsMax).toBe(4);
    expect(secrets.map(({ text }) => text)).toEqual(['9', '8', '7', '6']);
  });
});

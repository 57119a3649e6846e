import { expect, test } from 'bun:test';
import { generateSecret, sign, toleranceSeconds } from '../../../src/base/signature.ts';
import { judge } from '../../../src/demo/inbox/verdict.ts';

const secret = generateSecret();
const webhook = { id: 'wh_a', secrets: [{ text: secret }] };
const body = '{"name":"Größe"}';
const nowSeconds = (): number => Math.floor(Date.now() / 1000);

const signed = (text = body, timestamp = nowSeconds(), by: readonly string[] = [secret]) => ({
  'webhook-id': 'evt_1',
  'webhook-timestamp': `${timestamp}`,
  'webhook-signature': sign(by, { id: 'evt_1', timestamp, body: text }),
});

const verdictOn = (headers: Record<string, string>, bytes: string | Uint8Array = body, webhooks = [webhook]) =>
  judge(webhooks, new Headers(headers), Buffer.from(bytes), new Date());

test('a message is verified by the secret of one of the webhooks', () => {
  const other = { id: 'wh_b', secrets: [{ text: generateSecret() }] };
  expect(verdictOn(signed())).toEqual({ webhookId: 'wh_a' });
  expect(verdictOn(signed(), body, [other, webhook])).toEqual({ webhookId: 'wh_a' });
});

test('a rotated secret verifies until it no longer signs', () => {
  const old = generateSecret();
  const rotated = (until: string) => [{ id: 'wh_a', secrets: [{ text: secret }, { text: old, until }] }];
  const headers = signed(body, nowSeconds(), [old]);
  expect(verdictOn(headers, body, rotated('2100-01-01T00:00:00.000Z'))).toEqual({ webhookId: 'wh_a' });
  expect(verdictOn(headers, body, rotated('2000-01-01T00:00:00.000Z'))).toEqual({
    reason: 'No matching signature found.',
  });
});

test.each([
  ['another body', signed(), '{"name":"Grösse"}', 'No matching signature found.'],
  ['another secret', signed(body, nowSeconds(), [generateSecret()]), body, 'No matching signature found.'],
  ['another id', { ...signed(), 'webhook-id': 'evt_2' }, body, 'No matching signature found.'],
  ['another time', { ...signed(), 'webhook-timestamp': `${nowSeconds() - 9}` }, body, 'No matching signature found.'],
  ['an old time', signed(body, nowSeconds() - toleranceSeconds - 9), body, 'Message timestamp too old.'],
  ['a future time', signed(body, nowSeconds() + toleranceSeconds + 9), body, 'Message timestamp too new.'],
  [
    'text after the time',
    { ...signed(), 'webhook-timestamp': `${nowSeconds()}x` },
    body,
    'The timestamp is not a number.',
  ],
  ['no signature', { 'webhook-id': 'evt_1', 'webhook-timestamp': '1' }, body, 'Missing required headers.'],
  ['no headers', {}, body, 'Missing required headers.'],
  ['bytes that are not UTF-8', signed('\ufffd'), new Uint8Array([0xff]), 'The body is not UTF-8.'],
])('a message with %s is not verified', (_, headers, bytes, reason) => {
  expect(verdictOn(headers, bytes)).toEqual({ reason });
});

test('a message to a URL that no webhook has is not verified', () => {
  expect(verdictOn(signed(), body, [])).toEqual({ reason: 'No webhook has this URL, so its secret is not known.' });
});

/** What the console makes of its requests: entity tags, exact ids, pasted tokens, and limits of the rate. */
import { describe, expect, test } from 'bun:test';
import { matchOf } from '../../console/api/etag.ts';
import { hasSourceText, isExact, readJson, writeJson } from '../../console/api/json.ts';
import { isToken, readToken } from '../../console/api/pasted-token.ts';
import { createPatience, waitMsMax } from '../../console/api/patience.ts';
import { demoToken } from '../../src/tokens/sample.ts';

test.each([
  ['"q8Jc0W-1_aZk3bXy"', '"q8Jc0W-1_aZk3bXy"'],
  ['W/"q8Jc0W-1_aZk3bXy"', '"q8Jc0W-1_aZk3bXy"'],
  ['"q8Jc0W-1_aZk3bXy-gzip"', '"q8Jc0W-1_aZk3bXy", "q8Jc0W-1_aZk3bXy-gzip"'],
  ['W/"q8Jc0W-1_aZk3bXy--gzip"', '"q8Jc0W-1_aZk3bXy", "q8Jc0W-1_aZk3bXy--gzip"'],
  ['"q8Jc0W-1_aZk3bXy;br"', '"q8Jc0W-1_aZk3bXy", "q8Jc0W-1_aZk3bXy;br"'],
  ['"aaaaaaaaaaa-gzip"', '"aaaaaaaaaaa", "aaaaaaaaaaa-gzip"'],
  ['""', undefined],
  ['abc', undefined],
  [null, undefined],
])('the tag %p becomes the If-Match %p', (etag, expected) => {
  expect(matchOf(etag)).toBe(expected);
});

describe('JSON', () => {
  test('the ids are exact, in both directions', () => {
    const text = '{"id":9223372036854775807,"name":"9007199254740993","sequence":-9007199254740993,"ms":1.5}';
    expect(readJson(text)).toEqual({
      id: 9223372036854775807n,
      name: '9007199254740993',
      sequence: -9007199254740993n,
      ms: 1.5,
    });
    expect(writeJson({ id: -9223372036854775808n, name: '"', tag: undefined, other: null })).toBe(
      '{"id":-9223372036854775808,"name":"\\"","other":null}',
    );
  });

  test('without the source text of numbers, an id beyond 2^53 is not exact', () => {
    expect(hasSourceText()).toBe(true);
    const own = JSON.parse;
    try {
      JSON.parse = (text: string, reviver?: (name: string, value: unknown) => unknown) =>
        own(text, reviver && ((name: string, value: unknown) => reviver(name, value)));
      expect(hasSourceText()).toBe(false);
      expect(readJson('[{"id":9007199254740991},{"id":9007199254740993}]')).toEqual([
        { id: 9007199254740991n },
        { id: 9007199254740992n },
      ]);
    } finally {
      JSON.parse = own;
    }
    const exact = [2n ** 53n - 1n, 1n - 2n ** 53n, 0n];
    const rounded = [2n ** 53n, -(2n ** 53n), 2n ** 63n - 1n];
    expect([...exact, ...rounded].map((id) => isExact(id, false))).toEqual([true, true, true, false, false, false]);
    expect(rounded.every((id) => isExact(id, true))).toBe(true);
  });
});

test.each([
  demoToken,
  ` ${demoToken}\n`,
  `Bearer ${demoToken}`,
  `bearer  ${demoToken}`,
  `Authorization: Bearer ${demoToken}`,
  `-H 'Authorization: Bearer ${demoToken}' \\`,
  `"${demoToken}"`,
  `'${demoToken}';`,
  `\u201c${demoToken}\u201d`,
  `TOKEN=${demoToken}`,
  `export PLANT_STORE_TOKEN="${demoToken}"`,
  `{"token": "${demoToken}"}`,
  `\ufeff${demoToken}\u200b`,
  `${demoToken.slice(0, 20)}\u200d${demoToken.slice(20)}`,
  `${demoToken.slice(0, 20)}\r\n${demoToken.slice(20)}`,
  `\u00a0${demoToken}\u00a0`,
])('%p is understood as the token in it', (pasted) => {
  expect(readToken(pasted)).toBe(demoToken);
});

test.each([
  ['Bearer other', 'other'],
  ['TOKEN = "other"', 'other'],
  ['Authorization: Bearer other', 'other'],
  ['  other\u200b ', 'other'],
  ['', ''],
])('a token of another form is what stays of %p: %p', (pasted, expected) => {
  expect(readToken(pasted)).toBe(expected);
});

test('a text that cannot be in a header is no token', () => {
  expect(['plant_x', 'ü', 'a b', ''].map(isToken)).toEqual([true, false, false, false]);
});

describe('a limit of the rate', () => {
  const start = (answers: readonly [status: number, retryAfter?: string][]) => {
    let nowMs = 0;
    const waits: number[] = [];
    const sent: number[] = [];
    const left = [...answers];
    const request = createPatience({
      send: async () => {
        sent.push(nowMs);
        const [status, retryAfter] = left.shift() ?? [200];
        return new Response(null, { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } });
      },
      pause: async (timeMs) => {
        nowMs += timeMs;
      },
      nowMs: () => nowMs,
      onWait: (untilMs) => waits.push(untilMs),
    });
    return { request, sent, waits };
  };

  test('is waited for, as long as the service asks', async () => {
    const { request, sent, waits } = start([[429, '3'], [429], [200]]);
    expect((await request('x')).status).toBe(200);
    expect([sent, waits]).toEqual([
      [0, 3000, 4000],
      [3000, 4000],
    ]);
  });

  test('is the answer if the wait would be long, and other statuses are too', async () => {
    expect((await start([[429, `${waitMsMax / 1000 + 1}`]]).request('x')).status).toBe(429);
    const { request, sent } = start([[503, '1']]);
    expect((await request('x')).status).toBe(503);
    expect(sent).toEqual([0]);
  });

  test('ends with the request', async () => {
    const { request } = start([[429, '3']]);
    const controller = new AbortController();
    const waiting = request('x', { signal: controller.signal });
    controller.abort();
    expect(await waiting.catch(({ name }) => name)).toBe('AbortError');
  });
});

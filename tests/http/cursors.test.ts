/** What a cursor holds is checked like any other input: a client can write it, with a checksum that is right. */
import { beforeEach, expect, test } from 'bun:test';
import { encodeCursor } from '../../src/base/page.ts';
import { isStorableText } from '../../src/base/text.ts';
import { cursorList } from '../../src/deliveries/place.ts';
import { isByName, listOrders, cursorLists as plantLists } from '../../src/plants/order.ts';
import { nameLengthMax } from '../../src/plants/plant.ts';
import { createTestApp, errorOf, type TestApp } from '../support/app/app.ts';
import { onBothEngines } from '../support/store/engines.ts';
import { asStream } from '../support/streams/event-stream.ts';

/** The number of each list with cursors. */
const numberOf = { ...plantLists, deliveries: cursorList };
type CursorList = keyof typeof numberOf;
const cursorLists: readonly CursorList[] = [...listOrders, 'deliveries'];
const numbers = [-(2n ** 63n), -1n, 0n, 1n, 2n ** 63n - 1n];
const time = '2026-05-01T09:30:00.000Z';
const texts = [
  '',
  'x',
  '\0',
  `${time}\0`,
  '2026-02-30T09:30:00.000Z',
  '2026-05-01T09:30:00Z',
  '2026-05-01',
  '+012026-05-01T09:30:00.000Z',
  '\u{10ffff}',
  '\u{10ffff}'.repeat(500),
  'n'.repeat(501),
  '\ufeff',
  't'.repeat(5000),
  '1',
  '1 ',
  '1 ww',
  time,
  '01 wh_1',
  '-1 wh_1',
  '1.5 wh_1',
  '1e3 wh_1',
  '9223372036854775808 wh_1',
  '1 wh_\0',
  `1 ${'w'.repeat(5000)}`,
  '\ud800',
  '1 \udfff',
];

const isByTime = (list: CursorList): boolean => list.endsWith('createdAt');

const isValid = (list: CursorList, number: bigint, text: string): boolean => {
  // UTF-8 has U+FFFD instead of a lone surrogate, which a name can have.
  if (list !== 'deliveries' && isByName(list)) return isStorableText(text.toWellFormed(), nameLengthMax);
  if (list === 'deliveries') return number >= 0n && /^1 w+$/.test(text) && text.length < 100;
  return isByTime(list) ? text === time : text === '';
};

/** Cursors of each list, with a checksum that is right, and one with another. */
const cursors = cursorLists.flatMap((list) => {
  const right = isByTime(list) ? time : list === 'deliveries' ? '1 ww' : '';
  const positions = [...texts.map((text) => [1n, text] as const), ...numbers.map((number) => [number, right] as const)];
  const all = positions.map(([number, text]) => ({
    list,
    cursor: encodeCursor(numberOf[list], { number, text }),
    isValid: isValid(list, number, text),
  }));
  return [
    ...all,
    { list, cursor: `${encodeCursor(numberOf[list], { number: 1n, text: right }).slice(0, -6)}AAAAAA`, isValid: false },
  ];
});

const eventIds = [
  'x',
  '\0',
  'evt_1_AAAAAAAAAAAAAAAA',
  'evt_1_AAAAAAAAAAAAAAA\0',
  'evt_-1_AAAAAAAAAAAAAAAA',
  'evt_01_AAAAAAAAAAAAAAAA',
  'evt_1t0_AAAAAAAAAAAAAAAA',
  'evt_9223372036854775807_AAAAAAAAAAAAAAAA',
  'evt_9223372036854775808_AAAAAAAAAAAAAAAA',
  'evt_9223372036854775807t9223372036854775807_AAAAAAAAAAAAAAAA',
  'evt_1t9223372036854775808_AAAAAAAAAAAAAAAA',
  `evt_${'1'.repeat(5000)}_AAAAAAAAAAAAAAAA`,
];

let app: TestApp;
onBothEngines(() => {
  beforeEach(async () => {
    app = await createTestApp();
    await app.store.plants.create({ id: 1n, name: 'n' });
  });

  const statusOf = async (path: string, headers = {}): Promise<number> => {
    const response = await app.send('GET', path, { headers });
    return response.status === 200 ? 200 : errorOf(response);
  };

  test('no two lists have the same number in a cursor', () => {
    expect(new Set(Object.values(numberOf)).size).toBe(cursorLists.length);
  });

  test('every cursor of plants and deliveries whose text is not one of its list gets 400 (40004)', async () => {
    const wrong: unknown[] = [];
    for (const order of cursorLists) {
      const path = order === 'deliveries' ? '/deliveries?state=failed&count=true' : `/plants?sort=${order}&tag=a`;
      for (const { list, cursor, isValid } of cursors) {
        const expected = isValid && list === order ? 200 : 40004;
        const status = await statusOf(`${path}&after=${cursor}`);
        if (status !== expected) wrong.push({ order, list, cursor, expected, status });
      }
    }
    expect(wrong).toEqual([]);
  });

  test('an id of no event gets 400 (40004) in every list and stream of events', async () => {
    const webhook = await app.store.webhooks.create({
      url: 'https://example.com/',
      events: ['plant.created'],
      secret: 's',
    });
    for (const id of eventIds) {
      const after = encodeURIComponent(id);
      for (const [path, headers] of [
        [`/events?after=${after}`, {}],
        [`/events?type=plant.created&after=${after}`, {}],
        [`/events?after=${after}`, asStream],
        ['/events', { ...asStream, 'last-event-id': id.replaceAll('\0', '%00') }],
        [`/webhooks/${webhook.id}/deliveries?after=${after}`, {}],
      ] as const)
        expect([path, await statusOf(path, headers)]).toEqual([path, 40004]);
    }
  });

  test('an id of no webhook gets 404', async () => {
    for (const id of ['\0', 'wh_\0', '\ufeff', 'w'.repeat(5000)]) await expectNoWebhook(id);
  });

  const expectNoWebhook = async (id: string): Promise<void> => {
    const path = `/webhooks/${encodeURIComponent(id)}`;
    const event = 'evt_1_AAAAAAAAAAAAAAAA';
    for (const [method, rest] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/deliveries'],
      ['POST', '/test'],
      ['POST', '/rotate'],
      ['POST', `/deliveries/${event}/redeliver`],
      ['POST', `/deliveries/${encodeURIComponent(id)}/redeliver`],
    ] as const) {
      const error = await errorOf(await app.send(method, `${path}${rest}`));
      expect([id, method, rest, error]).toEqual([id, method, rest, 40400]);
    }
  };
});

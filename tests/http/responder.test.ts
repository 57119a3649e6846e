/** Large responses are complete, in pieces, and those that are in memory are limited. */
import { expect, test } from 'bun:test';
import { setImmediate } from 'node:timers/promises';
import { createResponder } from '../../src/http/responder.ts';

const large = Buffer.from('é'.repeat(100_000));
const tooMany = 'Too many large responses';

test('the number of unread large responses is limited, and each response is complete', async () => {
  const { respond } = createResponder(500_000);
  const readers = [1, 2].map(() => respond([large], {}).body?.getReader());
  for (const reader of readers) await reader?.read();
  // The first two responses are in memory, and a third would exceed the limit.
  expect(() => respond([large], {})).toThrow(tooMany);
  expect(await respond([Buffer.from('small')], {}).text()).toBe('small');
  await readers[0]?.cancel();
  expect(await respond([large], {}).text()).toBe(large.toString());
  // A response that was read to its end is no longer in memory.
  expect(await respond([large], {}).text()).toBe(large.toString());
});

test('the parts of responses that are being made count, and a small response is never refused', async () => {
  const { beginParts, respond } = createResponder(500_000);
  const [first, second, third] = [beginParts(), beginParts(), beginParts()];
  first.count(large);
  second.count(large);
  expect(() => second.count(large)).toThrow(tooMany);
  expect(() => respond([large], {})).toThrow(tooMany);
  third.count(Buffer.from('small'));
  for (const parts of [first, second, third]) parts.end();
  // Those that are no longer being made do not count.
  expect(await respond([large, large], {}).text()).toBe(`${large}${large}`);
});

test('responses of one turn of the event loop count before they are read, and those that nobody reads count no longer', async () => {
  const { respond } = createResponder(500_000);
  for (let turn = 0; turn < 2; turn += 1) {
    respond([large], {});
    respond([large], {});
    expect(() => respond([large], {})).toThrow(tooMany);
    await setImmediate();
  }
});

test('a large body of several parts is sent in pieces, in their order', async () => {
  const parts = [large.subarray(0, 150_000), ',', 'a', large.subarray(150_000), ']'].map((part) => Buffer.from(part));
  const sizes: number[] = [];
  const bytes: Buffer[] = [];
  for await (const piece of createResponder().respond(parts, {}).body ?? []) {
    sizes.push(piece.length);
    bytes.push(Buffer.from(piece));
  }
  expect(Buffer.concat(bytes)).toEqual(Buffer.concat(parts));
  // Bun joins small ones.
  for (const size of sizes) expect(size).toBeLessThan(2 * 64 * 1024);
});

test('a small response of several parts has its length', async () => {
  const { respond } = createResponder();
  expect(
    await respond(
      ['[1', ',', '2', ']'].map((part) => Buffer.from(part)),
      {},
    ).text(),
  ).toBe('[1,2]');
});

test('a response that is sent whole counts until the system has accepted it, and a small one never', async () => {
  const { respond, respondWhole, beginParts } = createResponder(2 * large.length);
  const pending = new Set<number>();
  const send = (id: number, body = large): Response => {
    pending.add(id);
    return respondWhole(body, {}, () => pending.has(id));
  };
  const [first] = [send(1), send(2)];
  expect(await first.text()).toBe(large.toString());
  await setImmediate();
  expect(() => send(3)).toThrow(tooMany);
  expect(() => respond([large], {})).toThrow(tooMany);
  const parts = beginParts();
  expect(() => parts.count(large)).toThrow(tooMany);
  parts.end();
  expect(await send(4, Buffer.from('small')).text()).toBe('small');
  pending.delete(1);
  // It is given back once.
  send(5);
  expect(() => send(6)).toThrow(tooMany);
  pending.clear();
  send(7);
  const { body } = respond([large], {});
  await body?.getReader().read();
  expect(() => respond([large], {})).toThrow(tooMany);
});

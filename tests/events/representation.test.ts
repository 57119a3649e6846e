import { expect, test } from 'bun:test';
import type { Sequenced } from '../../src/events/event.ts';
import { createBlock, pieceBytesMax, toFrame } from '../../src/events/representation.ts';
import type { PlantEvent } from '../../src/plants/plant.ts';

const event = (sequence: bigint, type: 'plant.created' | 'plant.updated' | 'plant.deleted'): Sequenced<PlantEvent> => {
  const shared = { sequence, timestamp: '2026-01-01T00:00:00.000Z', id: sequence };
  return type === 'plant.deleted' ? { ...shared, type } : { ...shared, type, name: '🌱'.repeat(500) };
};

test('the pieces of a block have all events in order, and each piece has as many as fit into the limit', () => {
  const events = Array.from({ length: 200 }, (_, n) => event(BigInt(n + 11), 'plant.created'));
  const block = createBlock({ events, readFrom: 10n }, event(210n, 'plant.created'));
  expect([block.from, block.to]).toEqual([10n, 210n]);
  const frames = events.map(toFrame);
  for (let position = block.from; position < block.to; ) {
    const {
      bytes,
      last: { sequence: to },
    } = block.take(position);
    const [start, end] = [Number(position - block.from), Number(to - block.from)];
    expect(new TextDecoder().decode(bytes)).toBe(frames.slice(start, end).join(''));
    expect(bytes.length).toBeLessThanOrEqual(pieceBytesMax);
    if (to < block.to) expect(bytes.length + Buffer.byteLength(`${frames[end]}`)).toBeGreaterThan(pieceBytesMax);
    position = to;
  }
});

test('the last piece of events of one type ends at a later event of another type', () => {
  const deletions = [event(2n, 'plant.deleted'), event(5n, 'plant.deleted')];
  const last = event(9n, 'plant.created');
  const block = createBlock({ events: deletions, readFrom: 0n }, last);
  const [first = '', second = ''] = deletions.map(toFrame);
  expect([block.from, block.to]).toEqual([0n, 9n]);
  expect(block.take(0n)).toEqual({ bytes: Buffer.from(first + second), last });
  for (const after of [2n, 3n]) expect(block.take(after)).toEqual({ bytes: Buffer.from(second), last });
  expect(block.take(5n)).toEqual({ bytes: Buffer.alloc(0), last });
});

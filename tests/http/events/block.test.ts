import { expect, test } from 'bun:test';
import type { PlantEvent, Sequenced } from '../../../src/domain/event.ts';
import { createBlock, pieceBytesMax } from '../../../src/http/events/block.ts';
import { toFrame } from '../../../src/http/events/representation.ts';

const event = (sequence: bigint, type: PlantEvent['type']): Sequenced<PlantEvent> => {
  const shared = { sequence, timestamp: '2026-01-01T00:00:00.000Z', id: sequence };
  return type === 'plant.deleted' ? { ...shared, type } : { ...shared, type, name: '🌱'.repeat(500) };
};

test('the pieces of a block have all events in order, and each piece has as many as fit into the limit', () => {
  const events = Array.from({ length: 200 }, (_, n) => event(BigInt(n + 11), 'plant.created'));
  const [first, ...rest] = events;
  if (!first) throw new Error('There is no event.');
  const block = createBlock([first, ...rest]);
  expect([block.from, block.to]).toEqual([10n, 210n]);
  const frames = events.map(toFrame);
  for (let position = block.from; position < block.to; ) {
    const {
      bytes,
      last: { sequence: to },
    } = block.take(position, undefined);
    const [start, end] = [Number(position - block.from), Number(to - block.from)];
    expect(new TextDecoder().decode(bytes)).toBe(frames.slice(start, end).join(''));
    expect(bytes.length).toBeLessThanOrEqual(pieceBytesMax);
    if (to < block.to) expect(bytes.length + Buffer.byteLength(`${frames[end]}`)).toBeGreaterThan(pieceBytesMax);
    position = to;
  }
});

test('a piece for one type of event has no other types', () => {
  const last = event(3n, 'plant.created');
  const block = createBlock([event(1n, 'plant.created'), event(2n, 'plant.deleted'), last]);
  const deletion = toFrame(event(2n, 'plant.deleted'));
  expect(block.take(0n, 'plant.deleted')).toEqual({ bytes: Buffer.from(deletion), last });
  expect(block.take(2n, 'plant.deleted')).toEqual({ bytes: Buffer.alloc(0), last });
});

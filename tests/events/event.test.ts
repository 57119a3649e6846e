import { describe, expect, test } from 'bun:test';
import { eventIdOf, keyOf, logStartId, parseEventId, type Sequenced, toPayload } from '../../src/events/event.ts';

const at = (day: number): string => new Date(Date.UTC(2026, 0, day)).toISOString();
const event: Sequenced = { sequence: 7n, type: 'plant.created', timestamp: at(1), id: 5n, name: 'n' };

describe('the id of an event', () => {
  test('the id of an event contains its key, and differs if any member of the event differs', () => {
    const others: Sequenced[] = [
      { ...event, sequence: 8n },
      { ...event, type: 'plant.updated' },
      { ...event, timestamp: at(2) },
      { ...event, id: 6n },
      { ...event, name: 'm' },
      { ...event, tag: '' },
      { sequence: 7n, type: 'webhook.test', timestamp: at(1), number: 1n },
      { sequence: 7n, type: 'webhook.test', timestamp: at(1), number: 2n },
      { sequence: 0n, type: 'webhook.test', timestamp: at(1), number: 2n },
    ];
    const ids = [event, ...others].map((event) => eventIdOf(event));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.map(parseEventId)).toEqual([event, ...others].map(keyOf));
  });

  test('the traceparent of an event is neither in its id nor in its payload', () => {
    const traced = { ...event, traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01` };
    expect(eventIdOf(traced)).toBe(eventIdOf(event));
    expect(toPayload(traced)).toEqual(toPayload(event));
  });

  test('the cursor for the start of the log has a key before all events', () => {
    expect(parseEventId(logStartId)).toEqual({ sequence: 0n, number: 0n });
  });

  test.each([
    '',
    'evt_1',
    'evt_1_',
    'evt_0_0123456789abcdef',
    'evt_01_0123456789abcdef',
    'evt_-1_0123456789abcdef',
    'evt_9223372036854775808_0123456789abcdef',
    'evt_1t_0123456789abcdef',
    'evt_1t0_0123456789abcdef',
    'evt_1t01_0123456789abcdef',
    'evt_1t9223372036854775808_0123456789abcdef',
    'evt_1_0123456789abcde',
    'evt_1_0123456789abcdefg',
    'xevt_1_0123456789abcdef',
  ])('%p is not the id of an event', (text) => {
    expect(parseEventId(text)).toBeUndefined();
  });
});

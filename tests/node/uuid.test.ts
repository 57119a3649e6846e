import { expect, test } from 'bun:test';
import { timeOrderedUuid } from '../../src/node/uuid.ts';

test('an id is a UUID of version 7 with the time of its creation', () => {
  const beforeMs = Date.now();
  const ids = Array.from({ length: 1000 }, timeOrderedUuid);
  const afterMs = Date.now();
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const timeMs = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
    expect(timeMs).toBeWithin(beforeMs, afterMs + 1);
  }
});

/** What the document shows of events: the life of a plant, in messages and in the log. */
import type { Examples } from '../operation.ts';

const monstera = { id: 1, name: 'Monstera' };
const created = { type: 'plant.created', timestamp: '2026-05-01T09:30:00.000Z', ...monstera, tag: 'tropical' };
const updated = { type: 'plant.updated', timestamp: '2026-05-01T09:31:00.000Z', ...monstera };
const deleted = { type: 'plant.deleted', timestamp: '2026-05-01T09:32:00.000Z', id: 1 };
const test = { type: 'webhook.test', timestamp: '2026-05-01T09:33:00.000Z' };

export const messages = {
  created: { summary: 'A plant with a tag', value: created },
  updated: { summary: 'Its tag was removed', value: updated },
  deleted: { summary: 'Nothing but the id is left', value: deleted },
  test: { summary: 'Nothing has happened', value: test },
} satisfies Examples;

export const eventPages: Examples = {
  life: {
    summary: 'All that has happened to a plant',
    value: [
      { eventId: 'evt_1_Zk3Jm0nTq8yV5bXa', sequence: 1, ...created },
      { eventId: 'evt_2_m0Qx7bV1cT9kLr2w', sequence: 2, ...updated },
      { eventId: 'evt_3_Hs8uEw2dYp5nFg6q', sequence: 3, ...deleted },
    ],
  },
};

/** The shapes of events: in the log, and as webhooks send them. */
import { type Static, type TProperties, Type } from '@sinclair/typebox';
import { plantEventTypes } from '../domain/event.ts';
import { enumeration, instant, int64 } from './kinds.ts';
import { limitOf, open, plantMembers } from './schemas.ts';

const timestamp = instant({ description: 'When it happened' });

const event = <Members extends TProperties>(type: string, description: string, members: Members) =>
  Type.Object({ type: Type.Literal(type), timestamp, ...members }, { ...open, description });

export const PlantCreated = event('plant.created', 'A plant was created. Every such event is also a valid NewPlant.', {
  ...plantMembers,
});

export const PlantUpdated = event('plant.updated', 'A plant was changed; this is what it is now.', { ...plantMembers });

export const PlantDeleted = event('plant.deleted', 'A plant was removed; its id is free again.', {
  id: plantMembers.id,
});

export const WebhookTest = event('webhook.test', 'A test that was asked for; nothing has happened.', {});

/** The place of an event in the log; `Event` in the document adds what happened. */
export const EventPlace = Type.Object(
  {
    eventId: Type.String({
      description:
        'Names the event: the cursor to go on after it, and the `webhook-id` of every message that tells of it. Opaque.',
      examples: ['evt_1_Zk3Jm0nTq8yV5bXa'],
    }),
    sequence: int64({
      description: 'Rises with every event and is never given out twice',
      examples: [1n],
    }),
  },
  open,
);

export const EventListQuery = Type.Object(
  {
    limit: limitOf('events'),
    after: Type.Optional(
      Type.String({
        description: 'Only events after this one: its `eventId`, or the `webhook-id` of a message of it.',
        error: 'The query parameter after must be the id of an event.',
      }),
    ),
    type: Type.Optional(
      enumeration({
        words: plantEventTypes,
        description: 'Only events of this type.',
        error: `The query parameter type must be one of ${plantEventTypes.join(', ')}.`,
      }),
    ),
  },
  { additionalProperties: true, error: 'The query does not fit.' },
);

export type EventListParams = Static<typeof EventListQuery>;

import { type TLiteral, type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { eventIdOf, plantEventTypes } from '../../domain/event.ts';
import { fernCreated, fernDeleted } from '../../domain/fixture.ts';
import { limitOf } from '../paging.ts';
import { plantMembers } from '../plants/schemas.ts';
import { enumeration, instant, int64 } from '../schema/kinds.ts';
import { closed, named, pointerTo, query } from '../schema/shape.ts';

export const EventId = named(
  'EventId',
  Type.String({
    description:
      'Names an event: in the log, as the cursor to go on after it, and as the `webhook-id` of every message about it. Opaque.',
    examples: [eventIdOf(fernCreated)],
  }),
);

export const EventType = named(
  'EventType',
  enumeration({ words: plantEventTypes, description: 'What can happen to a plant' }),
);

const timestamp = instant({ description: 'When it happened' });

/** There may be more members, and the log has more. Explicit, since some tools take the default for false. */
const extensible = { additionalProperties: Type.Unknown() };

const event = <Members extends TProperties>(name: string, type: string, description: string, members: Members) =>
  named(name, Type.Object({ type: Type.Literal(type), timestamp, ...members }, { ...extensible, description }));

export const PlantCreated = event(
  'PlantCreated',
  'plant.created',
  'A plant was created. Every such event is also a valid NewPlant.',
  plantMembers,
);

export const PlantUpdated = event(
  'PlantUpdated',
  'plant.updated',
  'A plant was changed; this is what it is now.',
  plantMembers,
);

export const PlantDeleted = event('PlantDeleted', 'plant.deleted', 'A plant was removed; its id is free again.', {
  id: plantMembers.id,
});

export const WebhookTest = event('WebhookTest', 'webhook.test', 'A test that was asked for; nothing has happened.', {});

const oneOf = (...events: (TSchema & { readonly properties: { readonly type: TLiteral<string> } })[]) => ({
  oneOf: events,
  discriminator: {
    propertyName: 'type',
    mapping: Object.fromEntries(events.map((event) => [event.properties.type.const, pointerTo(event)])),
  },
});

export const Event = named(
  'Event',
  Type.Object(
    {
      eventId: { ...EventId, description: 'Names the event: the cursor to go on after it.' },
      sequence: int64({ description: 'Rises with every event and is never given out twice', examples: [1n] }),
    },
    {
      ...oneOf(PlantCreated, PlantUpdated, PlantDeleted),
      ...extensible,
      description: 'What has happened, and its place in the log.',
    },
  ),
);

export const Message = named(
  'Message',
  Type.Unsafe({
    type: 'object',
    ...oneOf(PlantCreated, PlantUpdated, PlantDeleted, WebhookTest),
    description: 'What a webhook is told.',
  }),
);

export const EventStream = Type.String({
  description:
    'Server-sent events (WHATWG HTML §9.2), without an end. `id` is the `eventId`, `event` the `type`, and `data` an `Event` as JSON on one line.',
});

/** One event of the stream, as a parser of `text/event-stream` gives it. Only OpenAPI 3.2 can refer to it. */
export const StreamedEvent = named(
  'StreamedEvent',
  Type.Object(
    {
      id: { ...EventId, description: 'The `eventId` of the event, for `Last-Event-ID`.' },
      event: { ...EventType, description: 'The `type` of the event.' },
      data: Type.Unsafe<string>({
        type: 'string',
        contentMediaType: 'application/json',
        contentSchema: Event,
        description: 'The event as JSON.',
      }),
    },
    {
      ...closed,
      description:
        'One event of the live stream, after parsing (WHATWG HTML §9.2.6). Comments, and ids without an event, are not items of the stream.',
    },
  ),
);

export const EventListHeaders = Type.Object({
  'Last-Event-ID': Type.Optional(
    Type.String({
      description:
        'Only events after the one with this id, in the place of `after`; on a stream alone. Clients of server-sent events send it when they connect again.',
      examples: [eventIdOf(fernCreated)],
    }),
  ),
});

export const EventListQuery = query({
  limit: limitOf('events'),
  after: Type.Optional(
    Type.String({
      description: 'Only events after this one: its `eventId`, or the `webhook-id` of a message of it.',
      examples: [eventIdOf(fernCreated)],
      error: 'The query parameter after must be the id of an event.',
    }),
  ),
  type: Type.Optional({
    ...EventType,
    description: 'Only events of this type.',
    examples: [fernDeleted.type],
    error: `The query parameter type must be one of ${plantEventTypes.join(', ')}.`,
  }),
});

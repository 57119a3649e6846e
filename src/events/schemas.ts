import { limitOf } from '../http/paging.ts';
import {
  closed,
  named,
  pointerTo,
  query,
  type Static,
  type TLiteral,
  type TProperties,
  type TSchema,
  t,
} from '../http/schema.ts';
import { Picture, plantMembers } from '../plants/schemas.ts';
import { eventIdOf, plantEventTypes } from './event.ts';
import { eventsInStep, plantScanSteps } from './plant-page.ts';
import { fernCreated, fernDeleted, sequoiaCreated } from './sample.ts';

export const EventId = named(
  'EventId',
  t.String({
    description:
      'Opaque identifier of an event: in the log, as the cursor for the events after it, and as the `webhook-id` of its messages.',
    examples: [eventIdOf(fernCreated)],
  }),
);

export const EventType = named('EventType', t.Enumeration({ words: plantEventTypes, description: 'Type of an event' }));

const timestamp = t.Instant({ description: 'Time of the event' });

/** More members are permitted, and events of the log have more. Explicit, since some tools assume false as the default. */
const extensible = { additionalProperties: t.Unknown() };

const event = <const Type extends string, Members extends TProperties>(
  name: string,
  type: Type,
  description: string,
  members: Members,
) => named(name, t.Object({ type: t.Literal(type), timestamp, ...members }, { ...extensible, description }));

export const PlantCreated = event(
  'PlantCreated',
  'plant.created',
  'A plant was created. Every such event is also a valid NewPlant.',
  plantMembers,
);

export const PlantUpdated = event(
  'PlantUpdated',
  'plant.updated',
  'A plant was updated; this is the new state.',
  plantMembers,
);

export const PlantDeleted = event('PlantDeleted', 'plant.deleted', 'A plant was deleted; its id can be used again.', {
  id: plantMembers.id,
});

const ofPicture = { id: plantMembers.id, picture: Picture };

export const PlantPictureUpdated = event(
  'PlantPictureUpdated',
  'plant.picture.updated',
  'A plant has a new picture.',
  ofPicture,
);

export const PlantPictureDeleted = event(
  'PlantPictureDeleted',
  'plant.picture.deleted',
  'The picture of a plant was deleted. There is no such event if the plant was deleted.',
  ofPicture,
);

export const WebhookTest = event('WebhookTest', 'webhook.test', 'A requested test, which is not about a plant.', {});

const oneOf = (...events: (TSchema & { readonly properties: { readonly type: TLiteral<string> } })[]) => ({
  oneOf: events,
  discriminator: {
    propertyName: 'type',
    mapping: Object.fromEntries(events.map((event) => [event.properties.type.const, pointerTo(event)])),
  },
});

const plantEvents = [PlantCreated, PlantUpdated, PlantDeleted, PlantPictureUpdated, PlantPictureDeleted] as const;

const sequenced = t.Object(
  {
    eventId: { ...EventId, description: 'Identifier of the event, and the cursor for the events after it' },
    sequence: t.Int64({
      description: 'Position in the log. It increases with every event and is never reused.',
    }),
  },
  {
    ...oneOf(...plantEvents),
    ...extensible,
    description: 'An event, and its position in the log.',
  },
);

/** `oneOf` has no type. */
type AnyEvent = Static<(typeof plantEvents)[number]>;

export const Event = named('Event', t.Unsafe<Static<typeof sequenced> & AnyEvent>(sequenced));

export const Message = named(
  'Message',
  t.Unsafe({
    type: 'object',
    ...oneOf(...plantEvents, WebhookTest),
    description: 'The body of a message to a webhook.',
  }),
);

export const EventStream = t.String({
  description:
    'An endless stream of server-sent events (WHATWG HTML §9.2). `id` is the `eventId`, `event` the `type`, and `data` an `Event` as JSON on one line.',
});

/** One event of the stream, as a parser of `text/event-stream` returns it. Only OpenAPI 3.2 can refer to it. */
export const StreamedEvent = named(
  'StreamedEvent',
  t.Object(
    {
      id: { ...EventId, description: 'The `eventId` of the event, for `Last-Event-ID`.' },
      event: { ...EventType, description: 'The `type` of the event.' },
      data: t.Unsafe<string>({
        type: 'string',
        contentMediaType: 'application/json',
        contentSchema: Event,
        description: 'The event as JSON.',
      }),
    },
    {
      ...closed,
      description:
        'One event of the live stream, after parsing (WHATWG HTML §9.2.6). Comments are not items of the stream.',
    },
  ),
);

export const EventListHeaders = t.Object({
  'Last-Event-ID': t.Optional(
    t.String({
      description:
        'Only events after the one with this id. On a stream, it overrides `after`, unless it is empty; on a page, it is ignored. Clients of server-sent events send it when they reconnect.',
      examples: [eventIdOf(sequoiaCreated)],
    }),
  ),
});

const eventOrders = ['sequence', '-sequence'] as const;

export const EventListQuery = query({
  limit: limitOf('items'),
  after: t.Optional(
    t.String({
      description:
        'Only events after this one in the order of the list: its `eventId`, or the `webhook-id` of one of its messages. If empty, it is ignored.',
      examples: [eventIdOf(sequoiaCreated)],
      error: 'must be the id of an event',
    }),
  ),
  type: t.Optional({
    ...EventType,
    description: 'Only events of this type.',
    examples: [fernDeleted.type],
    error: `must be one of ${plantEventTypes.join(', ')}`,
  }),
  sort: t.Optional({
    ...t.Enumeration({
      words: eventOrders,
      description: 'Order of a page: oldest first, or with `-` newest first. The default is `sequence`.',
      error: `must be one of ${eventOrders.join(', ')}`,
    }),
    examples: ['sequence'],
  }),
  plant: t.Optional(
    t.CanonicalInt64({
      description: `Only events of the plant with this id, in canonical decimal form. There is no index for it: a page has those among the next ${eventsInStep * plantScanSteps} events, perhaps none, and \`Link\` has the next page.`,
      examples: { demo: fernDeleted.id },
      error: 'must be an integer from -2^63 to 2^63-1 in canonical decimal',
    }),
  ),
});

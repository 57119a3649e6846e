/** The parameters of the document, from the schemas that validate them. */
import { type TObject, Type } from '@sinclair/typebox';
import { conditionPattern } from '../conditional.ts';
import { DeliveryPath } from '../schemas/deliveries.ts';
import { EventId } from '../schemas/events.ts';
import { limitOf } from '../schemas/pages.ts';
import { PlantPath } from '../schemas/plants.ts';
import { toSubschema } from '../schemas/shape.ts';

type Place = 'path' | 'query' | 'header';

/** The header of a request that must find one of these versions. */
export const Precondition = Type.Object({
  'If-Match': Type.Optional(
    Type.String({
      description: 'Versions of which the plant must have one: entity tags, or `*` for any.',
      pattern: conditionPattern(),
      examples: ['"0Zk3Jm0nTq8yV5bXa"', '*'],
    }),
  ),
});

/** The header of a request for what is not known yet. */
export const KnownVersions = Type.Object({
  'If-None-Match': Type.Optional(
    Type.String({
      description: 'Versions that the caller knows: entity tags, or `*` for any.',
      pattern: conditionPattern(),
      examples: ['"0Zk3Jm0nTq8yV5bXa"', '*'],
    }),
  ),
});

/** The headers of a message to a webhook, by Standard Webhooks 1.0.0. */
export const MessageHeaders = Type.Object({
  'webhook-id': {
    ...EventId,
    description: 'Names the message; the same over all tries, so that what came twice can be told.',
  },
  'webhook-timestamp': Type.Integer({
    format: 'int64',
    description: 'When this try was made, in seconds since 1970. Refuse what is more than five minutes off.',
  }),
  'webhook-signature': Type.String({
    description:
      '`v1,` and the base64 of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}`, with the decoded secret as the key; one for each secret in force, separated by spaces.',
  }),
});

/** A parameter for each property; its description moves to where OpenAPI wants it. What has a default may be left out. */
const inlineParametersOf = (place: Place, { properties, required = [] }: TObject) =>
  Object.entries(properties).map(([name, property]) => {
    const { description, ...schema } = toSubschema(property);
    const isRequired = required.includes(name) && property.default === undefined;
    return { name, in: place, ...(isRequired && { required: true }), description, schema };
  });

/** Those that the document shares, under their own names. */
export const parameters = Object.fromEntries(
  [
    ...inlineParametersOf('path', PlantPath),
    ...inlineParametersOf('path', DeliveryPath),
    ...inlineParametersOf('query', Type.Object({ limit: limitOf('items') })),
    ...inlineParametersOf('header', Precondition),
  ].map((parameter) => [parameter.name, parameter]),
);

/** The parameters of an operation: shared ones by reference, with a description of their own where they have one. */
export const parametersOf = (place: Place, schema: TObject) =>
  inlineParametersOf(place, schema).map((parameter) => {
    const shared = parameters[parameter.name];
    if (!shared) return parameter;
    const { description } = parameter;
    return {
      $ref: `#/components/parameters/${parameter.name}`,
      ...(description !== shared.description && { description }),
    };
  });

/** What the document shares. */
import { Attempt, Delivery } from '../deliveries/schemas.ts';
import {
  Event,
  EventId,
  EventType,
  Message,
  PlantCreated,
  PlantDeleted,
  PlantUpdated,
  WebhookTest,
} from '../events/schemas.ts';
import { NewPlant, Plant, PlantPatch, PlantRecord } from '../plants/schemas.ts';
import { nameOf, toJsonSchema } from '../schema/shape.ts';
import { Token } from '../token.ts';
import { NewWebhook, Webhook, WebhookState, WebhookTarget, WebhookWithSecret } from '../webhooks/schemas.ts';
import { Problem, sharedResponses } from './failures.ts';
import { headers } from './headers.ts';
import { parameters } from './parameters.ts';

const schemas = [
  Plant,
  NewPlant,
  PlantRecord,
  PlantPatch,
  EventId,
  EventType,
  Event,
  PlantCreated,
  PlantUpdated,
  PlantDeleted,
  WebhookTest,
  Message,
  NewWebhook,
  WebhookTarget,
  WebhookState,
  Webhook,
  WebhookWithSecret,
  Delivery,
  Attempt,
  Token,
  Problem,
];

/** Schemas under their own names, and the responses, parameters and headers that operations refer to. */
export const components = () => ({
  schemas: Object.fromEntries(schemas.map((schema) => [nameOf(schema), toJsonSchema(schema)])),
  responses: sharedResponses(),
  parameters,
  headers,
});

/** What the document shares. */
import { Attempt, Delivery } from '../schemas/deliveries.ts';
import { Problem } from '../schemas/errors.ts';
import {
  Event,
  EventId,
  EventType,
  Message,
  PlantCreated,
  PlantDeleted,
  PlantUpdated,
  WebhookTest,
} from '../schemas/events.ts';
import { NewPlant, Plant, PlantPatch, PlantRecord } from '../schemas/plants.ts';
import { nameOf, toJsonSchema } from '../schemas/shape.ts';
import { Token } from '../schemas/tokens.ts';
import { NewWebhook, Webhook, WebhookState, WebhookTarget, WebhookWithSecret } from '../schemas/webhooks.ts';
import { sharedResponses } from './failures.ts';
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

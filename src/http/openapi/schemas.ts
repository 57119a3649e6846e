/** The schemas of the document. */
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

const components = [
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

/** Each under its own name. */
export const schemas = () => Object.fromEntries(components.map((schema) => [nameOf(schema), toJsonSchema(schema)]));

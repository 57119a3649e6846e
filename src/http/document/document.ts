/**
 * The document, OpenAPI 3.1.1. Its paths come from the descriptors that the routes are made of, its schemas are those that
 * validate, and its errors are those of `domain/error.ts`.
 */
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
import type { Operations } from '../operation.ts';
import { NewPlant, Plant, PlantPatch, PlantRecord } from '../plants/schemas.ts';
import { nameOf, toJsonSchema } from '../schema/shape.ts';
import { Token } from '../token.ts';
import { NewWebhook, Webhook, WebhookState, WebhookTarget, WebhookWithSecret } from '../webhooks/schemas.ts';
import { Problem, sharedResponses } from './failures.ts';
import { eventMessage, webhookMessages } from './messages.ts';
import { pathsOf } from './operation.ts';
import { headers, parameters } from './parts.ts';

const intro = `A sample service for OpenAPI 3.1: all that this document says, the server does.

**Ids are signed 64-bit integers, and exact.** Beyond 2⁵³ a JavaScript number is not: there \`JSON.parse\` reads 9223372036854775807 as
9223372036854775808. A JavaScript client whose ids may be that large must read them from the text, by the \`context.source\` of a
reviver, and write them by \`JSON.rawJSON\`, or use a parser that keeps integers whole.

**Every error that the service writes has one shape**, and a number that identifies it. What is not proper HTTP, or has a head
that is too large, does not reach it: the HTTP parser answers with an empty body (400, 413, 431, 505).

**Every answer has an \`X-Request-Id\`**, which is in the log of the service too: that of the request, if it has 1 to 64 letters, digits, \`.\`,
\`_\` and \`-\`, or a new one. The trace of a valid \`traceparent\` (W3C Trace Context) is in the log, and in the messages to webhooks.

**The operator may limit the rate of requests.** Each token then has a bucket of requests, which refills steadily. Every response to a
request with a valid token says how many it holds (\`RateLimit-Policy\`) and how many are left (\`RateLimit\`). A request beyond them is
429 (42900), and so are failed authentications from one address beyond the same rate.

**On every path** HEAD is answered where GET is, and OPTIONS lists the methods in \`Allow\`, as a refusal with 405 (40500) does. A path
that is not here is 404 (40401), once the token is valid. A \`Host\` that is
invalid, or given twice, is 400 (40002). A query parameter that is given twice is refused; one that is not known, and a member of a
body that is not known, are passed over.`;

export const createDocument = (operations: Operations) => ({
  openapi: '3.1.1',
  jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
  info: {
    title: 'OpenAPI Plant Store',
    version: '1.0.0',
    summary: 'A plant store that does everything its document says.',
    description: intro,
    contact: { name: 'The founders of Plant Store' },
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/', description: 'The host that the document came from.' }],
  externalDocs: { url: 'https://spec.openapis.org/oas/v3.1.1.html', description: 'The OpenAPI Specification 3.1.1' },
  security: [{ bearerAuth: [] }],
  tags: [
    { name: 'plants', description: 'The plants in the store.' },
    { name: 'events', description: 'What has happened to them.' },
    {
      name: 'webhooks',
      description: 'Where events are sent, and the results.',
      externalDocs: { url: 'https://www.standardwebhooks.com', description: 'Standard Webhooks' },
    },
    { name: 'messages', description: 'What is sent to webhooks: requests of this service to the receivers.' },
    { name: 'token', description: 'The token that the caller bears.' },
    { name: 'metrics', description: 'What the service does, in numbers.' },
  ],
  paths: pathsOf(operations),
  webhooks: webhookMessages,
  components: {
    schemas: Object.fromEntries(schemas.map((schema) => [nameOf(schema), toJsonSchema(schema)])),
    responses: sharedResponses(),
    parameters,
    headers,
    pathItems: { Event: eventMessage },
    securitySchemes: {
      bearerAuth: { type: 'http', scheme: 'bearer', description: 'A token made by `plant-store token create`.' },
    },
  },
});

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

export type Document = ReturnType<typeof createDocument>;

export const toYaml = (document: Document): string =>
  `${Bun.YAML.stringify(JSON.parse(JSON.stringify(document)), null, 2)}\n`.replaceAll(bareTime, '$1"$2"');

/** Text in YAML 1.2. Readers of YAML 1.1, of which there are many, take it for a time unless it is quoted. */
const bareTime = /^( *(?:- )*(?:\S+: )?)(\d{4}-\d\d-\d\dT[\d:.]+Z)$/gm;

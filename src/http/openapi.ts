/**
 * The document, OpenAPI 3.1.1. Its shapes are the schemas that validate; its errors are those of `problem.ts`; what an
 * operation does is said once, in the file of its noun.
 */
import { eventPaths } from './openapi-events.ts';
import { eventCallback, webhookMessages } from './openapi-messages.ts';
import { failures, json, ref, schemas } from './openapi-parts.ts';
import { plantPaths } from './openapi-plants.ts';
import { webhookPaths } from './openapi-webhooks.ts';

export const createDocument = () => ({
  openapi: '3.1.1',
  jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
  info: {
    title: 'OpenAPI Plant Store',
    version: '1.0.0',
    summary: 'A plant store that does everything its document says.',
    description:
      'A sample service for OpenAPI 3.1. Ids are signed 64-bit integers and exact: a JavaScript client must read them without going through a double.',
    contact: { name: 'The founders of Plant Store' },
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [
    { url: '/', description: 'Where the document is served.' },
    { url: 'http://127.0.0.1:3000', description: 'A server of your own, as `bun run dev` starts it.' },
  ],
  security: [{ bearerAuth: [] }],
  tags: [
    { name: 'plants', description: 'The plants in the store.' },
    { name: 'events', description: 'What has happened to them.' },
    { name: 'webhooks', description: 'Where events are sent, and what came of it.' },
    { name: 'token', description: 'The token that the caller bears.' },
  ],
  paths: {
    ...plantPaths,
    ...eventPaths,
    ...webhookPaths,
    '/token': {
      get: {
        operationId: 'getToken',
        tags: ['token'],
        summary: 'Get the own token',
        description: 'Tells what the token that the caller bears is for. Any token may ask.',
        responses: {
          200: { description: 'The token, without its text.', content: json(ref('Token')) },
          ...failures('token_missing', 'token_invalid', 'defect', 'unavailable'),
        },
      },
    },
  },
  webhooks: webhookMessages,
  components: {
    schemas: schemas(),
    pathItems: { Event: eventCallback },
    securitySchemes: {
      bearerAuth: { type: 'http', scheme: 'bearer', description: 'A token made by `plant-store token create`.' },
    },
  },
});

export type Document = ReturnType<typeof createDocument>;

export const toYaml = (document: Document): string =>
  `${Bun.YAML.stringify(JSON.parse(JSON.stringify(document)), null, 2)}\n`;

/** One document with the features of OpenAPI 3.1 in which tools differ, each as small as possible. */

const described = (schema: object, description = 'answer') => ({
  description,
  content: { 'application/json': { schema } },
});

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const event = (type: string, properties: Readonly<Record<string, object>> = {}) => ({
  type: 'object',
  required: ['type', ...Object.keys(properties)],
  properties: { type: { type: 'string', const: type }, ...properties },
});

/** The parameter is shared, and each reference has its own description. */
const limit = (description: string) => ({ $ref: '#/components/parameters/limit', description });

const message = (operationId: string, schema: object) => ({
  post: { operationId, requestBody: described(schema), responses: { '204': { description: 'taken' } } },
});

export const smallDocument = {
  openapi: '3.1.1',
  info: { title: 'Small', version: '1' },
  servers: [{ url: '/' }],
  paths: {
    '/plants/{id}': {
      patch: {
        operationId: 'updatePlant',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer', format: 'int64' } }],
        requestBody: {
          required: true,
          content: {
            'application/merge-patch+json': { schema: ref('PlantPatch') },
            'application/json': { schema: ref('PlantPatch') },
          },
        },
        responses: { '200': described(ref('PlantRecord')), default: described(ref('Error')) },
      },
    },
    '/events': {
      get: {
        operationId: 'listEvents',
        parameters: [limit('of events')],
        responses: {
          '200': {
            description: 'events',
            content: {
              'application/json': { schema: { type: 'array', items: ref('Event') } },
              'text/event-stream': { schema: { type: 'string' } },
            },
          },
        },
      },
    },
    '/webhooks': {
      post: {
        operationId: 'createWebhook',
        parameters: [limit('of webhooks')],
        requestBody: described(ref('Webhook')),
        responses: { '201': described(ref('Webhook')) },
        callbacks: { event: { '{$request.body#/url}': { $ref: '#/components/pathItems/Callback' } } },
      },
    },
  },
  webhooks: { plantCreated: message('onPlantCreated', ref('PlantCreated')) },
  components: {
    parameters: {
      limit: { name: 'limit', in: 'query', description: 'shared', schema: { type: 'integer', format: 'int32' } },
    },
    pathItems: { Callback: message('onCallback', ref('PlantDeleted')) },
    schemas: {
      NewPlant: { type: 'object', required: ['id'], properties: { id: { type: 'integer', format: 'int64' } } },
      PlantRecord: {
        type: 'object',
        allOf: [
          ref('NewPlant'),
          {
            type: 'object',
            required: ['createdAt'],
            properties: { createdAt: { type: 'string', format: 'date-time', readOnly: true } },
          },
        ],
        unevaluatedProperties: false,
      },
      PlantPatch: { type: 'object', properties: { tag: { type: ['string', 'null'] } } },
      EventId: { type: 'string', description: 'shared' },
      Event: {
        type: 'object',
        required: ['eventId'],
        properties: { eventId: { ...ref('EventId'), description: 'of an event' } },
        oneOf: [ref('PlantCreated'), ref('PlantDeleted')],
        discriminator: {
          propertyName: 'type',
          mapping: { 'plant.created': ref('PlantCreated').$ref, 'plant.deleted': ref('PlantDeleted').$ref },
        },
      },
      PlantCreated: event('plant.created', { name: { type: 'string' } }),
      PlantDeleted: event('plant.deleted'),
      Webhook: {
        type: 'object',
        required: ['url'],
        properties: { url: { type: 'string' }, secret: { type: 'string', writeOnly: true } },
      },
      Error: {
        type: 'object',
        required: ['error'],
        properties: {
          error: {
            type: 'integer',
            oneOf: [
              { const: 40000, title: 'malformed_body', description: 'no JSON' },
              { const: 40001, title: 'invalid_body', description: 'another schema' },
            ],
          },
        },
      },
    },
  },
};

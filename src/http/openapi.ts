/**
 * The document, OpenAPI 3.1.1. Its shapes are the schemas that validate; its errors are those of `problem.ts`; what an
 * operation does is said here, once.
 */
import type { ErrorCode } from '../domain/error.ts';
import type { Scope } from '../domain/token.ts';
import { problems, statusOf } from './problem.ts';
import { NewPlant, Plant, PlantPath, PlantRecord, Problem, toJsonSchema } from './schemas.ts';

export const createDocument = () => ({
  openapi: '3.1.1',
  jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
  info: {
    title: 'OpenAPI Plant Store',
    version: '1.0.0',
    summary: 'A plant store that does everything its document says.',
    description:
      'A sample service for OpenAPI 3.1. Ids are signed 64-bit integers and exact: a JavaScript client must read them without going through a double.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/' }],
  security: [{ bearerAuth: [] }],
  tags: [{ name: 'plants', description: 'The plants in the store.' }],
  paths: {
    '/plants': {
      post: {
        operationId: 'createPlant',
        tags: ['plants'],
        summary: 'Create a plant',
        description:
          'Creates a new plant in the store. The id is the idempotency key: the same plant sent again is answered again and changes nothing.',
        security: needs('plants:write'),
        requestBody: {
          description: 'Plant to add to the store',
          required: true,
          content: json(ref('NewPlant')),
        },
        responses: {
          200: {
            description: 'plant response',
            headers: {
              Location: header('The path of the plant.', 'uri-reference'),
              ETag: header('The version of the plant.'),
            },
            content: json(ref('Plant')),
          },
          ...failures(
            'malformed_body',
            'invalid_body',
            'token_missing',
            'token_invalid',
            'scope_missing',
            'id_taken',
            'body_too_large',
            'unsupported_media_type',
            'defect',
            'unavailable',
            'outcome_unknown',
          ),
        },
      },
    },
    '/plants/{id}': {
      get: {
        operationId: 'getPlant',
        tags: ['plants'],
        summary: 'Get a plant',
        description: 'Answers with the plant as it is kept.',
        security: needs('plants:read'),
        parameters: [
          {
            name: 'id',
            in: 'path',
            required: true,
            description: 'Identification number of the plant, in canonical decimal.',
            schema: toJsonSchema(PlantPath.properties.id),
          },
        ],
        responses: {
          200: {
            description: 'The plant.',
            headers: { ETag: header('The version of the plant.') },
            content: json(ref('PlantRecord')),
          },
          ...failures(
            'invalid_path_id',
            'token_missing',
            'token_invalid',
            'scope_missing',
            'not_found',
            'defect',
            'unavailable',
          ),
        },
      },
    },
  },
  components: {
    schemas: mapValues(components, toJsonSchema),
    securitySchemes: {
      bearerAuth: { type: 'http', scheme: 'bearer', description: 'A token made by `plant-store token create`.' },
    },
  },
});

export type Document = ReturnType<typeof createDocument>;

const components = { Plant, NewPlant, PlantRecord, Error: Problem };

const ref = (name: keyof typeof components) => ({ $ref: `#/components/schemas/${name}` });

const json = (schema: object) => ({ 'application/json': { schema } });

const header = (description: string, format?: string) => ({
  description,
  required: true,
  schema: { type: 'string', ...(format && { format }) },
});

const needs = (scope: Scope) => [{ bearerAuth: [scope] }];

/** The responses for these errors, one a status, each with a list of the `error` numbers that it can carry. */
const failures = (...codes: ErrorCode[]) => mapValues(Object.groupBy(codes, statusOf), (group = []) => failure(group));

const failure = (codes: readonly ErrorCode[]) => ({
  description: codes.some((code) => code === 'malformed_body' || code === 'invalid_body')
    ? 'unexpected error'
    : describe(codes),
  headers: Object.assign(
    { 'Cache-Control': header('Always `no-store`.') },
    ...codes.map((code) => extraHeaders[code] ?? {}),
  ),
  content: json(ref('Error')),
});

const describe = (codes: readonly ErrorCode[]): string =>
  codes.map((code) => `${problems[code].error}: ${problems[code].description}`).join(' ');

/** Headers that an error adds, as `problem.ts` writes them. */
const challenge = { 'WWW-Authenticate': header('A challenge by RFC 6750.') };
const extraHeaders: Partial<Record<ErrorCode, object>> = {
  token_missing: challenge,
  token_invalid: challenge,
  scope_missing: challenge,
  unavailable: { 'Retry-After': header('Seconds to wait.') },
};

const mapValues = <Value, Result>(
  record: Record<string, Value>,
  map: (value: Value) => Result,
): Record<string, Result> => Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));

/** The lessons of docs/learn/, in their order, and where openapi/lesson.yaml has their features. */
export interface Lesson {
  /** The name of its page. It begins with the number. */
  readonly file: string;
  /** What the comments in the document call it. */
  readonly topic: string;
  /** The places in the lesson document, as JSON Pointers. None if only the whole document has the feature. */
  readonly places: readonly string[];
}

export const lessons: readonly Lesson[] = [
  { file: '01-json-schema.md', topic: 'JSON Schema 2020-12', places: ['/jsonSchemaDialect'] },
  {
    file: '02-null.md',
    topic: 'type arrays and null',
    places: ['/components/schemas/PlantPatch/properties/tag'],
  },
  {
    file: '03-constants.md',
    topic: 'constants with names',
    places: ['/components/schemas/Error/properties/error/oneOf'],
  },
  {
    file: '04-examples.md',
    topic: 'examples',
    places: ['/paths/~1plants/post/requestBody/content/application~1json/examples'],
  },
  { file: '05-references.md', topic: 'a description beside $ref', places: [] },
  { file: '06-webhooks.md', topic: 'webhooks', places: ['/webhooks'] },
  {
    file: '07-callbacks.md',
    topic: 'callbacks and shared path items',
    places: ['/paths/~1webhooks/post/callbacks', '/components/pathItems'],
  },
  {
    file: '08-closed-objects.md',
    topic: 'unevaluatedProperties',
    places: ['/components/schemas/PlantRecord/unevaluatedProperties'],
  },
  { file: '09-one-of.md', topic: 'oneOf and const', places: ['/components/schemas/Message/oneOf'] },
  { file: '10-int64.md', topic: 'int64', places: ['/components/schemas/NewPlant/properties/id'] },
  { file: '11-roles.md', topic: 'roles of a token', places: ['/paths/~1plants/post/security'] },
  { file: '12-streams.md', topic: 'what OpenAPI 3.2 adds', places: [] },
  { file: '13-links.md', topic: 'links', places: [] },
  { file: '14-tuples.md', topic: 'prefixItems', places: [] },
  { file: '15-generic-schemas.md', topic: '$dynamicRef', places: [] },
  { file: '16-server-variables.md', topic: 'servers with variables', places: [] },
  { file: '17-files.md', topic: 'files', places: [] },
];

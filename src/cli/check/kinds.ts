/** Which object of the OpenAPI Specification each place of a document has, so that a reference to another kind of object is noticed. */
import { namesIn } from '../../base/json-pointer.ts';

/** The object at a JSON Pointer, such as `Schema Object`. Undefined for a place that the specification does not name, such as an extension. */
export const kindAt = (pointer: string): string | undefined => {
  let kind: string | undefined = 'OpenAPI Object';
  for (const name of namesIn(pointer)) kind = kindOfMember(kind, name);
  return kind;
};

const collection = 'map or list of ';

const kindOfMember = (kind: string | undefined, name: string): string | undefined => {
  if (kind === undefined) return undefined;
  if (kind.startsWith(collection)) return kind.slice(collection.length);
  if (name.startsWith('x-')) return undefined;
  return members[kind]?.[name] ?? others[kind];
};

/** A member of these may have any name. */
const others: Readonly<Record<string, string>> = { 'Callback Object': 'Path Item Object' };

const mapsOrLists = (kind: string, ...names: string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, collection + kind]));

const single = (kind: string, ...names: string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, kind]));

const content = mapsOrLists('Media Type Object', 'content');
const headers = mapsOrLists('Header Object', 'headers');
const parameter = {
  ...single('Schema Object', 'schema'),
  ...mapsOrLists('Example Object', 'examples'),
  ...content,
};

const members: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'OpenAPI Object': {
    ...single('Info Object', 'info'),
    ...single('Components Object', 'components'),
    ...mapsOrLists('Path Item Object', 'paths', 'webhooks'),
    ...mapsOrLists('Server Object', 'servers'),
    ...mapsOrLists('Tag Object', 'tags'),
  },
  'Components Object': {
    ...mapsOrLists('Schema Object', 'schemas'),
    ...mapsOrLists('Response Object', 'responses'),
    ...mapsOrLists('Parameter Object', 'parameters'),
    ...mapsOrLists('Example Object', 'examples'),
    ...mapsOrLists('Request Body Object', 'requestBodies'),
    ...headers,
    ...mapsOrLists('Security Scheme Object', 'securitySchemes'),
    ...mapsOrLists('Link Object', 'links'),
    ...mapsOrLists('Callback Object', 'callbacks'),
    ...mapsOrLists('Path Item Object', 'pathItems'),
    ...mapsOrLists('Media Type Object', 'mediaTypes'),
  },
  'Path Item Object': {
    ...single('Operation Object', 'get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'),
    ...mapsOrLists('Operation Object', 'additionalOperations'),
    ...mapsOrLists('Parameter Object', 'parameters'),
  },
  'Operation Object': {
    ...mapsOrLists('Parameter Object', 'parameters'),
    ...single('Request Body Object', 'requestBody'),
    ...mapsOrLists('Response Object', 'responses'),
    ...mapsOrLists('Callback Object', 'callbacks'),
  },
  'Request Body Object': content,
  'Response Object': { ...headers, ...content, ...mapsOrLists('Link Object', 'links') },
  'Parameter Object': parameter,
  'Header Object': parameter,
  'Media Type Object': {
    ...single('Schema Object', 'schema', 'itemSchema'),
    ...mapsOrLists('Example Object', 'examples'),
    ...mapsOrLists('Encoding Object', 'encoding', 'prefixEncoding'),
    ...single('Encoding Object', 'itemEncoding'),
  },
  'Encoding Object': {
    ...headers,
    ...mapsOrLists('Encoding Object', 'encoding', 'prefixEncoding'),
    ...single('Encoding Object', 'itemEncoding'),
  },
  'Schema Object': {
    ...mapsOrLists('Schema Object', 'properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'),
    ...mapsOrLists('Schema Object', 'allOf', 'anyOf', 'oneOf', 'prefixItems'),
    ...single('Schema Object', 'items', 'contains', 'unevaluatedItems', 'not', 'if', 'then', 'else', 'contentSchema'),
    ...single('Schema Object', 'additionalProperties', 'unevaluatedProperties', 'propertyNames'),
  },
};

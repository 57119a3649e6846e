/** The objects of a document in which a reference is one. */
import { isObject } from '../../base/json.ts';
import { type Members, pointerOf } from '../../base/json-pointer.ts';

export interface Node {
  readonly node: Members;
  readonly pointer: string;
  /** Where the schema with an `$id` begins that it is in. A pointer in a reference begins there. */
  readonly base: string;
}

/** All objects but those in examples and other data. */
export function* nodesIn(value: unknown, path: readonly string[] = [], isMap = false, outer = ''): Generator<Node> {
  if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* nodesIn(item, [...path, `${index}`], false, outer);
  if (!isObject(value)) return;
  const base = !isMap && isText(value['$id']) ? pointerOf(path) : outer;
  // The members of a map have names that somebody chose.
  if (!isMap) yield { node: value, pointer: pointerOf(path), base };
  for (const [name, member] of Object.entries(value)) {
    if (!isMap && (data.has(name) || name.startsWith('x-') || (name === 'examples' && Array.isArray(member)))) continue;
    yield* nodesIn(member, [...path, name], !isMap && maps.has(name), base);
  }
}

const data: ReadonlySet<string> = new Set(['example', 'default', 'const', 'enum', 'value', 'dataValue']);

const maps: ReadonlySet<string> = new Set(
  [
    ['schemas', 'responses', 'parameters', 'examples', 'requestBodies', 'headers', 'securitySchemes', 'links'],
    ['callbacks', 'pathItems', 'mediaTypes', 'paths', 'webhooks', 'content', 'encoding', 'variables', 'mapping'],
    ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'scopes'],
  ].flat(),
);

export const isText = (value: unknown): value is string => typeof value === 'string';

/**
 * The lesson: a short document that is true of the same service. It has the plants, one webhook and one callback, as the whole document has
 * them. It leaves out the other operations, optional headers, the details of errors, most examples, optional members of webhooks, and all but
 * the first sentence of a description.
 */
import { valueAt } from '../../src/base/json-pointer.ts';
import { checkReferences } from '../../src/document/components.ts';
import type { Document } from '../../src/document/document.ts';
import { ifAny, type Members, mapNames, membersOf, pick, shorten, shortenEach } from './shorten.ts';

export const toLesson = (document: Document) => {
  const whole = mapNames(taught, (names, path) => pick(document.paths[path], names));
  const paths = mapNames(whole, shorten);
  const webhooks = shortenEach(pick(document.webhooks, ['plant.created']));
  const { schemas, responses, ...shared } = document.components;
  const components = {
    schemas: shortenSchemas(schemas, errorNumbersIn(whole, document)),
    responses: { ...shortenEach(responses), Error: unexpected },
    ...mapNames(shared, shortenEach),
  };
  const used = pointersIn({ paths, webhooks }, { components });
  const isUsed = (pointer: string): boolean => used.has(pointer) || pointer.startsWith('#/components/securitySchemes/');
  const tags = new Set(Object.values({ ...paths, ...webhooks }).flatMap(tagsOf));
  return checkReferences({
    openapi: document.openapi,
    info: { ...document.info, title: `${document.info.title}: the lesson`, summary, description },
    jsonSchemaDialect: document.jsonSchemaDialect,
    servers: document.servers,
    paths,
    webhooks,
    components: onlyUsed(components, isUsed),
    security: document.security,
    tags: document.tags.filter(({ name }) => tags.has(name)).map(shorten),
  });
};

const summary = 'The plants, one webhook and one callback of the Plant Store.';
const description = 'A short part of `openapi.yaml`. The service does what it says, and more.';

/** What it keeps of each path. */
const taught: Readonly<Record<string, readonly string[]>> = {
  '/plants': ['get', 'post'],
  '/plants/{id}': ['parameters', 'get', 'patch', 'delete'],
  '/webhooks': ['post'],
};

const unexpected = {
  description: 'unexpected error',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};

/** Objects of which it keeps only these members. They are open, so that the service may send and accept more. */
const membersOfUse: Readonly<Record<string, readonly string[]>> = {
  Error: ['error', 'message'],
  Picture: ['type', 'width', 'height'],
  NewWebhook: ['url', 'events'],
  WebhookWithSecret: ['id', 'secret'],
};

const shortenSchemas = (schemas: Members, numbers: ReadonlySet<unknown>): Members =>
  mapNames(shortenEach(schemas), (schema, name) => {
    const names = membersOfUse[name];
    const shown = names ? openObject(membersOf(schema), names, schemas) : schema;
    return name === 'Error' ? withNumbers(membersOf(shown), numbers) : shown;
  });

/** An object with these members of a schema, or of the parts of its `allOf`. */
const openObject = (
  { description, allOf, ...schema }: Members,
  names: readonly string[],
  schemas: Members,
): Members => {
  const parts = (Array.isArray(allOf) ? allOf : [schema]).map((part) =>
    membersOf(shorten('$ref' in part ? valueAt({ components: { schemas } }, part.$ref) : part)),
  );
  return {
    description,
    type: 'object',
    required: parts
      .flatMap(({ required }) => (Array.isArray(required) ? required : []))
      .filter((name) => names.includes(name)),
    properties: Object.assign({}, ...parts.map(({ properties }) => pick(properties, names))),
  };
};

/** The schema of an error with the names of these numbers alone. */
const withNumbers = (schema: Members, numbers: ReadonlySet<unknown>): Members => {
  const keep = (branches: unknown): Members[] =>
    Array.isArray(branches)
      ? branches.filter((one) => numbers.has(one.const)).map((one) => pick(one, ['title', 'const']))
      : [];
  const replace = (name: string, map: (value: unknown) => unknown) => (members: unknown) =>
    mapNames(membersOf(members), (value, key) => (key === name ? map(value) : value));
  return replace('properties', replace('error', replace('oneOf', keep)))(schema);
};

/** The numbers of the errors in the examples of these operations, and of the shared responses that they refer to. */
const errorNumbersIn = (part: unknown, document: object): Set<unknown> => {
  const texts = [part, ...[...pointersIn(part, document)].map((pointer) => valueAt(document, pointer))];
  return new Set(
    texts.flatMap((one) => [...JSON.stringify(one).matchAll(/"error":(\d{5})/g)].map(([, number]) => Number(number))),
  );
};

/** The components that a part refers to, and those that these refer to, as pointers. */
const pointersIn = (part: unknown, document: object, found = new Set<string>()): Set<string> => {
  if (typeof part !== 'object' || part === null) return found;
  for (const [name, value] of Object.entries(part)) {
    if (name !== '$ref') pointersIn(value, document, found);
    else if (!found.has(`${value}`)) pointersIn(valueAt(document, `${value}`), document, found.add(`${value}`));
  }
  return found;
};

const onlyUsed = (
  components: Readonly<Record<string, Members>>,
  isUsed: (pointer: string) => boolean,
): Readonly<Record<string, Members>> =>
  Object.assign(
    {},
    ...Object.entries(components).map(([kind, named]) => {
      const kept = Object.keys(named).filter((name) => isUsed(`#/components/${kind}/${name}`));
      return ifAny(kind, pick(named, kept));
    }),
  );

const tagsOf = (item: unknown): unknown[] =>
  Object.values(membersOf(item)).flatMap((operation) => membersOf(operation)['tags'] ?? []);

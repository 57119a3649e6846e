/** A document: its version, its values by JSON Pointer, and its operations by their `operationId`. */

/** An OpenAPI document. */
export type Document = Readonly<Record<string, unknown>>;

/** A version of OpenAPI that has a case. */
export type OpenapiVersion = '3.0' | '3.1' | '3.2';

export const versions: readonly OpenapiVersion[] = ['3.0', '3.1', '3.2'];

export const versionOf = ({ openapi }: Document): OpenapiVersion => {
  const version = versions.find((one) => `${openapi}`.startsWith(`${one}.`));
  if (version === undefined) throw new Error(`There is no case for the version ${openapi}`);
  return version;
};

export interface Operation {
  readonly method: string;
  /** The template, such as `/plants/{id}`, or the name of a webhook. */
  readonly path: string;
  readonly pointer: string;
}

export const findOperation = (document: Document, operationId: string): Operation => {
  const operation = operationWith(document, operationId);
  if (operation === undefined) throw new Error(`The document has no operation ${operationId}`);
  return operation;
};

/** Undefined for an operation of a callback too. */
export const operationWith = (document: Document, operationId: string): Operation | undefined => {
  for (const section of ['paths', 'webhooks'])
    for (const [path, item] of membersOf(document[section]))
      for (const { method, pointer, operation } of operationsOf(document, item, `/${section}/${escapeToken(path)}`))
        if (valueAt(operation, '/operationId') === operationId) return { method: method.toUpperCase(), path, pointer };
  return undefined;
};

interface Found {
  readonly method: string;
  readonly pointer: string;
  readonly operation: unknown;
}

/** Also those of other methods, and those of the path item to which a reference leads. */
const operationsOf = (document: Document, item: unknown, pointer: string): Found[] => {
  const reference = valueAt(item, '/$ref');
  const target = typeof reference === 'string' && reference.startsWith('#/') ? reference.slice(1) : undefined;
  const own = [
    ...membersOf(item).map(([method, operation]) => ({ method, pointer: `${pointer}/${method}`, operation })),
    ...membersOf(valueAt(item, '/additionalOperations')).map(([method, operation]) => ({
      method,
      pointer: `${pointer}/additionalOperations/${method}`,
      operation,
    })),
  ];
  return target === undefined ? own : [...own, ...operationsOf(document, valueAt(document, target), target)];
};

const isObject = (node: unknown): node is Record<string, unknown> => typeof node === 'object' && node !== null;

const membersOf = (node: unknown): [string, unknown][] => (isObject(node) ? Object.entries(node) : []);

export const escapeToken = (token: string): string => token.replaceAll('~', '~0').replaceAll('/', '~1');

const unescapeToken = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~');

const tokensOf = (pointer: string): string[] => pointer.split('/').slice(1).map(unescapeToken);

/** The value at a JSON Pointer, or undefined. */
export const valueAt = (node: unknown, pointer: string): unknown =>
  tokensOf(pointer).reduce((parent, token) => (isObject(parent) ? parent[token] : undefined), node);

/** A copy of the document with another value at a JSON Pointer. */
export const withValue = (document: Document, pointer: string, value: unknown): Document => {
  const copy = structuredClone(document);
  const end = pointer.lastIndexOf('/');
  const parent = valueAt(copy, pointer.slice(0, end));
  if (!isObject(parent)) throw new Error(`The document has nothing at ${pointer.slice(0, end)}`);
  parent[unescapeToken(pointer.slice(end + 1))] = value;
  return copy;
};

/** A copy with the values by JSON Pointer. A member that is undefined is not written. */
export const withValues = (document: Document, values: Readonly<Record<string, unknown>>): Document =>
  Object.entries(values).reduce((one, [pointer, value]) => withValue(one, pointer, value), document);

/** The document as a client reads it, with its references followed. */

import { operations as served } from '../../../src/app/app.ts';
import { namesIn } from '../../../src/base/json-pointer.ts';
import { createDocument } from '../../../src/document/document.ts';
import { createJudge } from './judge.ts';

export interface Content {
  readonly schema: object;
  readonly examples?: Readonly<
    Record<string, { readonly summary: string; readonly value: Readonly<Record<string, unknown>> }>
  >;
}

export interface DocumentedHeader {
  readonly description: string;
  readonly required: boolean;
  readonly schema: { readonly type: string };
}

export interface Reference {
  readonly $ref: string;
}

export interface DocumentedResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, DocumentedHeader | Reference>>;
  readonly content?: Readonly<Record<string, Content>>;
  readonly links?: Readonly<
    Record<string, { readonly operationId: string; readonly parameters: Readonly<Record<string, string>> }>
  >;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description: string;
  readonly required?: boolean;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly security?: readonly Readonly<Record<string, string[]>>[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, DocumentedResponse | Reference>>;
}

/** An operation, with its position in the document. */
export interface PlacedOperation extends Operation {
  readonly method: string;
  readonly path: string;
}

const uri = 'https://plant-store.test/openapi.json';

export const document = JSON.parse(JSON.stringify(createDocument(served)));
const limitedDocument = JSON.parse(JSON.stringify(createDocument(served, { isRateLimited: true })));

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);

/** The operations of path items: those of the paths, the webhooks or the components. */
export const operationsOf = (items: Readonly<Record<string, object>>): PlacedOperation[] =>
  Object.entries(items).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      methods.has(method) ? [{ ...operation, method, path }] : [],
    ),
  );

/** The operations of a service, and how to follow their references. */
export interface Described {
  readonly operations: readonly PlacedOperation[];
  /** The target of a reference within the document; any other value is returned unchanged. */
  readonly resolve: <Node extends object>(node: Node | Reference) => Node;
}

const describe = (whole: typeof document): Described => ({
  operations: operationsOf(whole.paths),
  resolve: (node) => (isReference(node) ? namesIn(node.$ref).reduce((part, name) => part[name], whole) : node),
});

export const isReference = (node: object): node is Reference => '$ref' in node;

/** With the default settings. */
export const normal = describe(document);
/** With a rate limit. The schemas and parameters are the same. */
export const limited = describe(limitedDocument);

export const { operations, resolve } = normal;

/** The parameters of an operation, with those of its path. */
export const parametersOf = ({ path, parameters = [] }: PlacedOperation): readonly Parameter[] =>
  [...(document.paths[path]?.parameters ?? []), ...parameters].map((parameter) => resolve<Parameter>(parameter));

/** The examples of a parameter, as text. */
export const examplesOf = ({ examples = {} }: Parameter): readonly string[] =>
  Object.values(examples).map(({ value }) => String(value));

/** The path of the document that matches a request, or `undefined`. */
export const pathOf = (pathname: string): string | undefined =>
  templates.find(({ form }) => form.test(pathname))?.template;

/** Paths with a parameter come last, so that the first match is the right one. */
const templates = Object.keys(document.paths)
  .map((template) => ({ template, form: new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }))
  .sort((a, b) => a.template.split('{').length - b.template.split('{').length);

/** Judges values by schemas that may refer to the components of the document. */
export const { judge, fits } = createJudge(document, uri);

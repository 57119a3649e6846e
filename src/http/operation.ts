/**
 * An operation, said once: the route is made of it here, and its part of the document in `document/operation.ts`. To add an
 * operation, write its descriptor and put it in the list in `app.ts`.
 */
import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { Config } from '../config.ts';
import type { Failure } from '../domain/error.ts';
import type { Scope, TokenRecord } from '../domain/token.ts';
import type { Store } from '../store/store.ts';
import { requireScope } from './auth.ts';
import { readBody } from './body.ts';
import type { HeaderName } from './document/parts.ts';
import { checkHeaders, checkPath, readQuery } from './parameters.ts';
import { isChecked } from './schema/shape.ts';

export interface Operation<
  Path extends TObject = TObject,
  Query extends TObject = TObject,
  Body extends TSchema = TSchema,
> {
  /** The method, and the path as in the document; its first segment is the tag. */
  readonly route: `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`;
  readonly summary: string;
  readonly description: string;
  readonly externalDocs?: { readonly url: string; readonly description: string };
  /** What the token must allow. Absent where any token may ask. */
  readonly scope?: Scope;
  readonly parameters?: { readonly path?: Path; readonly query?: Query; readonly headers?: TObject };
  readonly body?: RequestBody<Body>;
  /** The answers that are no failures, by status; the first is the usual one. */
  readonly answers: Readonly<Record<number, Answer>>;
  /** What it can fail with, beside what its scope, parameters and body bring with them; see `document/failures.ts`. */
  readonly failures?: readonly Failure[];
  /** What the specification calls a bad request. */
  readonly badRequest?: string;
  readonly callbacks?: object;
  readonly handler: (services: Services) => Handler<Static<Path>, Static<Query>, Static<Body>>;
}

export interface RequestBody<Body extends TSchema = TSchema> {
  readonly description: string;
  readonly schema: Body;
  readonly mediaTypes: readonly [string, ...string[]];
  readonly examples: Examples;
  /** One of the sentences for a body that does not fit: an example for the document. */
  readonly misfit: Failure;
}

export interface Answer {
  readonly description: string;
  readonly headers?: readonly HeaderName[];
  readonly schema?: TSchema;
  readonly examples?: Examples;
  /** Operations that the answer leads to, each with the parameter that it takes from it. */
  readonly links?: {
    readonly parameter: string;
    readonly expression: string;
    readonly operations: Readonly<Record<string, string>>;
  };
}

/** By name; a request and its answer have the same. Tests send each request, and want that answer. */
export type Examples = Readonly<Record<string, { readonly summary: string; readonly value: object }>>;

/** What a handler may use. */
export interface Services {
  readonly store: Store;
  readonly config: Config;
}

interface Input<Path, Query, Body> {
  readonly params: Path;
  readonly query: Query;
  readonly body: Body;
  readonly request: Request;
  readonly token: TokenRecord;
}

/** A method, since operations of all inputs are in one list, and the schemas have checked the input. */
type Handler<Path, Query, Body> = {
  handle(input: Input<Path, Query, Body>): Response | Promise<Response>;
}['handle'];

/** Ties the types of a handler to the schemas of its operation. */
export const operation = <
  Path extends TObject = TObject,
  Query extends TObject = TObject,
  Body extends TSchema = TSchema,
>(
  descriptor: Operation<Path, Query, Body>,
): Operation<Path, Query, Body> => descriptor;

/** Every operation, by its operationId, in the order of the document. */
export type Operations = Readonly<Record<string, Operation>>;

export const methodOf = ({ route }: Operation): string => route.slice(0, route.indexOf(' '));
export const pathOf = ({ route }: Operation): string => route.slice(route.indexOf(' ') + 1);

/**
 * How Elysia checks the operation's requests. The steps of `transform` run in the order of the contract, before the schemas are
 * checked: so nothing of a body is read before token, scope, path and headers have passed.
 */
export const hooksOf = ({ scope, parameters: { path, query, headers } = {}, body }: Operation) => ({
  // Keeps Elysia from reading a body in its own way and before the token is checked.
  parse: () => null,
  transform: [
    ...(scope ? [requireScope(scope)] : []),
    ...(path && isChecked(path) ? [checkPath(path)] : []),
    ...(query ? [readQuery(query)] : []),
    ...(headers ? [checkHeaders(headers)] : []),
    ...(body ? [readBody(body.mediaTypes)] : []),
  ],
  ...(query && { query }),
  ...(body && { body: body.schema }),
});

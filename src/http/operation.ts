/**
 * An operation as one descriptor. The route is made from it here, and its part of the document in `document/document.ts`. To add
 * an operation, write its descriptor and put it in the list in `app.ts`.
 */
import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { Config } from '../config.ts';
import type { Failure } from '../domain/error.ts';
import type { Scope } from '../domain/token.ts';
import type { Generators } from '../domain/webhook.ts';
import type { Metrics } from '../metrics.ts';
import type { Store } from '../store/store.ts';
import { type Caller, requireScope } from './auth.ts';
import { type RequestBody, readBody } from './body.ts';
import type { HeaderName } from './document/parts.ts';
import type { Streams } from './events/streams.ts';
import { checkHeaders, checkPath, type RequestHeaders, readQuery } from './parameters.ts';
import { type Examples, isChecked } from './schema.ts';

export interface Operation<
  Path extends TObject = TObject,
  Query extends TObject = TObject,
  Body extends TSchema = TSchema,
> {
  /** The method, and the path as in the document. The first segment of the path is the tag. */
  readonly route: `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`;
  readonly summary: string;
  readonly description: string;
  readonly externalDocs?: { readonly url: string; readonly description: string };
  /** The required scope of the token. Absent if any token is sufficient. */
  readonly scope?: Scope;
  readonly parameters?: { readonly path?: Path; readonly query?: Query; readonly headers?: TObject };
  readonly body?: RequestBody<Body>;
  /** The successful responses, by status. */
  readonly responses: Readonly<Record<number, Success>>;
  /** The failures of this operation, including an invalid query. `failuresOf` adds those of every token, scope, path, header and body. */
  readonly failures?: readonly Failure[];
  /** The description of the 400 response, if it is not the list of its failures. */
  readonly badRequest?: string;
  readonly callbacks?: object;
  readonly handler: (services: Services) => Handler<Static<Path>, Static<Query>, Static<Body>>;
}

export interface Success {
  readonly description: string;
  /** The headers, with their values in the response of the first example; undefined if it does not have the header. */
  readonly headers?: Readonly<Partial<Record<HeaderName, string | undefined>>>;
  readonly schema?: TSchema;
  /** JSON if absent. */
  readonly mediaType?: string;
  readonly examples?: Examples;
  /** The same content in another media type, for clients that prefer it. */
  readonly alternative?: Alternative;
  /** The operations that the response links to, with their descriptions, and the parameter that they take from the request or response. */
  readonly links?: {
    readonly parameter: string;
    readonly expression: string;
    readonly operations: Readonly<Record<string, string>>;
  };
}

export interface Alternative {
  readonly mediaType: string;
  readonly schema: TSchema;
  readonly examples: Examples;
}

export interface Services {
  readonly store: Store;
  readonly config: Config;
  readonly metrics: Metrics;
  readonly streams: Streams;
  readonly generate: Generators;
}

/** The type of a method, so that one list can contain operations with different inputs. The schemas have checked the input. */
type Handler<Path, Query, Body> = {
  handle(
    input: Caller & {
      readonly params: Path;
      readonly query: Query;
      readonly body: Body;
      readonly headers: RequestHeaders;
      readonly request: Request;
    },
  ): Response | Promise<Response>;
}['handle'];

/** Ties the types of a handler to the schemas of its operation. */
export const operation = <Path extends TObject, Query extends TObject, Body extends TSchema>(
  descriptor: Operation<Path, Query, Body>,
): Operation<Path, Query, Body> => descriptor;

/** By operationId, in the order of the document. */
export type Operations = Readonly<Record<string, Operation>>;

export const methodOf = ({ route }: Operation): string => route.slice(0, route.indexOf(' '));
export const pathOf = ({ route }: Operation): string => route.slice(route.indexOf(' ') + 1);

/**
 * The steps in which Elysia checks a request. Those of `transform` run in this order, and then Elysia checks the query. So an
 * operation with a body has no query.
 */
export const hooksOf = ({ scope, parameters: { path, query, headers } = {}, body }: Operation) => ({
  // The last step reads the body. Elysia itself would read it before the token is checked.
  parse: 'none' as const,
  transform: [
    ...(scope ? [requireScope(scope)] : []),
    ...(path && isChecked(path) ? [checkPath(path)] : []),
    ...(query ? [readQuery(query)] : []),
    ...(headers ? [checkHeaders(headers)] : []),
    ...(body ? [readBody(body)] : []),
  ],
  ...(query && { query }),
});

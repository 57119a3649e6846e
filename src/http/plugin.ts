/**
 * The operations of a resource as a plugin of Elysia. The type of the plugin has the type of each route, which is made from its
 * descriptor: so a client such as Eden (`treaty<App>`) knows the path, the input, and the body of the response of each status.
 */
import { Elysia } from 'elysia';
import type { CreateEden, RouteBase } from 'elysia/types';
import type { Failure } from '../base/app-error.ts';
import type { Scope } from '../tokens/token.ts';
import { type Caller, requireScope } from './auth.ts';
import { readBody } from './body.ts';
import {
  type AnyHandler,
  handlerOf,
  methodOf,
  type Operation,
  type Operations,
  pathOf,
  queryNamesOf,
  rulesOf,
  type Success,
} from './operation.ts';
import { checkHeaders, readQuery, rejectUnknownParameters } from './parameters.ts';
import type { Problem } from './problem.ts';
import type { StatusOf } from './response.ts';
import type { Static, TObject, TSchema } from './schema.ts';
import { checkUpload, type Upload } from './upload.ts';

/** A trailing slash makes a different path, a body is not changed, and a host may have one letter. */
export const routing = { strictPath: true, normalize: false, handler: { standardHostname: false } } as const;

/** Returns a function that makes the plugin. `served` may have other descriptors for the same operations, by operationId, and lack some. */
export const plugin = <Own extends Operations>(own: Own) =>
  Object.assign(
    (services: NeedsOf<Own>, served: Operations = own): Plugin<Own> => {
      const app = new Elysia<'', Guarded>(routing);
      for (const operationId of Object.keys(own)) {
        const descriptor = served[operationId];
        if (!descriptor) continue;
        const path = pathOf(descriptor).replaceAll(/\{(\w+)\}/g, ':$1');
        app.route(methodOf(descriptor), path, toAsync(handlerOf(descriptor, services)), hooksOf(descriptor, services));
      }
      // The compiler does not know the routes of a list.
      return app as unknown as Plugin<Own>;
    },
    { operations: own },
  );

/**
 * Elysia looks at the text of a function: it provides what its parameters name, and awaits its result if it looks asynchronous. An async
 * function with all parameters is always right, so that no handler depends on how it is written.
 */
const toAsync =
  (handle: AnyHandler): AnyHandler =>
  async ({ params, query, body, headers, request, token, digest }) =>
    handle({ params, query, body, headers, request, token, digest });

/**
 * How Elysia checks a request: `transform`, then `params`, then `query`, then `beforeHandle`. It would check the headers before the
 * path, so they are a step.
 */
const hooksOf = (operation: Operation, services: unknown) => {
  const { scope, parameters: { path, query, headers } = {}, body, upload } = operation;
  return {
    // The last step reads the body. Elysia itself would read it before the token is checked.
    parse: 'none' as const,
    transform: [...(scope ? [requireScope(scope)] : []), ...(query ? [readQuery(query)] : [])],
    ...(path && { params: path }),
    ...(query && { query }),
    beforeHandle: [
      rejectUnknownParameters(queryNamesOf(operation)),
      ...(headers ? [checkHeaders(headers)] : []),
      ...(body ? [readBody(body, rulesOf(operation, services))] : []),
      ...(upload ? [checkUpload(upload)] : []),
    ],
  };
};

/** What the app that uses the plugin derives for each request. */
type Guarded = Record<'decorator' | 'store' | 'resolve', Record<never, never>> & { derive: Caller };

/** What the handlers of all these operations need. */
export type NeedsOf<Own extends Operations> = Intersection<Parameters<Own[keyof Own]['handler']>[0]>;

/** An instance of Elysia that has these routes and nothing else. */
type Plugin<Own extends Operations> =
  Elysia extends Elysia<
    infer Prefix,
    infer Singleton,
    infer Definitions,
    infer Metadata,
    infer _,
    infer Scoped,
    infer Local
  >
    ? Elysia<Prefix, Singleton, Definitions, Metadata, RoutesOf<Own>, Scoped, Local>
    : never;

/** None for a list whose operations the compiler does not know. */
export type RoutesOf<Own extends Operations> = string extends keyof Own
  ? Record<never, never>
  : Extract<Intersection<{ [Id in keyof Own]: RouteOf<Own[Id]> }[keyof Own]>, RouteBase>;

/** As Elysia makes it from `.post('/plants', …)`: the method within the segments of the path. */
type RouteOf<Own> =
  Own extends Operation<
    `${infer Method} ${infer Path}`,
    infer Responses,
    infer Params extends TObject,
    infer Query extends TObject,
    infer Headers extends TObject,
    infer Body extends TObject,
    infer Uploaded extends Upload,
    infer Failed extends Failure,
    infer Required extends Scope
  >
    ? CreateEden<
        RouterPath<Path>,
        Record<
          Lowercase<Method>,
          {
            body: [Uploaded] extends [never] ? Input<Body> : BodyOf<Uploaded['contents']>;
            params: Input<Params>;
            query: InputQuery<Query>;
            headers: Input<Headers>;
            response: Bodies<Responses> &
              Record<
                StatusOf<Failed['code'] | CodeOfAny | CodeOfScope<Required> | CodeOfPath<Params> | CodeOfBody<Body>>,
                Static<typeof Problem>
              >;
          }
        >
      >
    : never;

/** In any of its media types that Eden can send: of a file alone it makes `{}`, but it sends one in a form. */
type BodyOf<Contents extends Upload['contents']> = Exclude<Static<Contents[keyof Contents]['schema']>, Blob>;

/** `/plants/{id}` as `/plants/:id`. */
type RouterPath<Path extends string> = Path extends `${infer Before}{${infer Name}}${infer After}`
  ? `${Before}:${Name}${RouterPath<After>}`
  : Path;

type Input<Schema extends TSchema> = [Schema] extends [never] ? unknown : Static<Schema>;

/** A client need not send a parameter with a default. */
type InputQuery<Query extends TObject> = [Query] extends [never]
  ? unknown
  : Partial<Static<Query>> & Omit<Static<Query>, WithDefault<Query['properties']>>;

type WithDefault<Parameters> = {
  [Name in keyof Parameters]: Parameters[Name] extends { readonly default: unknown } ? Name : never;
}[keyof Parameters];

type Bodies<Responses extends Readonly<Record<number, Success>>> = {
  [Status in keyof Responses]: Responses[Status] extends { readonly schema: infer Schema extends TSchema }
    ? Static<Schema>
    : null;
};

/** The failures that `failuresOf` adds. A test compares their statuses with the document. */
type CodeOfAny = 'invalid_query' | 'token_missing' | 'rate_limited' | 'defect' | 'unavailable';
type CodeOfScope<Required> = [Required] extends [never] ? never : 'scope_missing';
type CodeOfPath<Path> = [Path] extends [{ properties: Record<string, { error: string }> }]
  ? [Path] extends [never]
    ? never
    : 'invalid_path_id'
  : never;
type CodeOfBody<Body> = [Body] extends [never] ? never : 'invalid_body' | 'body_too_large' | 'unsupported_media_type';

type Intersection<Union> = (Union extends unknown ? (member: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

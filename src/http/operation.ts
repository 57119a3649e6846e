/**
 * An operation as one descriptor. The route is made from it in `plugin.ts`, and its part of the document in `document/document.ts`.
 * To add an operation, write its descriptor and put it in the plugin of its resource in `app.ts`.
 */
import type { Failure } from '../base/app-error.ts';
import type { Scope } from '../tokens/token.ts';
import type { Caller } from './auth.ts';
import type { RequestBody, Rules } from './body.ts';
import type { RequestHeaders } from './parameters.ts';
import type { Examples, Static, TObject, TSchema } from './schema.ts';
import type { Upload } from './upload.ts';

export interface Operation<
  Route extends string = string,
  Responses extends SuccessByStatus = SuccessByStatus,
  Path extends TObject = TObject,
  Query extends TObject = TObject,
  Headers extends TObject = TObject,
  Body extends TObject = TObject,
  Uploaded extends Upload = Upload,
  Failed extends Failure = Failure,
  Required extends Scope = Scope,
  Needs = never,
> {
  /** The method, and the path as in the document. */
  readonly route: Route;
  /** The tag in the document. Default: the first segment of the path. */
  readonly tag?: string;
  readonly summary: string;
  readonly description: string;
  readonly externalDocs?: { readonly description: string; readonly url: string };
  /** The required scope of the token. Omitted if any token is sufficient. */
  readonly scope?: Required;
  readonly parameters?: { readonly path?: Path; readonly query?: Query; readonly headers?: Headers };
  readonly body?: RequestBody<Body>;
  /** A file instead of a body in JSON. Its failures are in `failures`. */
  readonly upload?: Uploaded;
  /** Rules of members of the body that their schemas cannot have. */
  readonly rules?: (needs: Needs) => Rules;
  readonly responses: Responses;
  /**
   * The failures of this operation, including an invalid query parameter. `failuresOf` adds those of every token, scope, path, header, body and
   * unknown query parameter.
   */
  readonly failures?: readonly Failed[];
  /** The description of the 400 response, if it is not the list of its failures. */
  readonly badRequest?: string;
  readonly callbacks?: object;
  /** Takes the stores and other parts of the service that it uses. */
  readonly handler: (needs: Needs) => Handler<Static<Path>, Static<Query>, Static<Body>>;
}

export type SuccessByStatus = Readonly<Record<number, Success>>;

export interface Success {
  readonly description: string;
  /** The headers, with their values in the response of the first example; undefined if it does not have the header. */
  readonly headers?: Readonly<Partial<Record<HeaderName, string | undefined>>>;
  readonly schema?: TSchema;
  /** JSON if omitted. */
  readonly mediaType?: string;
  readonly examples?: Examples;
  /** The same content in other media types, for clients that prefer one of them. */
  readonly alternatives?: readonly Alternative[];
  /** The operations that the response links to, and the parameter that they take from the request or response. */
  readonly links?: {
    readonly parameter: string;
    readonly expression: string;
    readonly operations: readonly string[];
  };
}

export type Alternative = Required<Pick<Success, 'mediaType' | 'schema' | 'examples'>>;

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

/**
 * Ties the types of a handler to the schemas of its operation, and keeps them for the type of its route. Parts that a descriptor does
 * not have are `never`.
 */
export const operation = <
  const Route extends `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`,
  const Responses extends SuccessByStatus,
  Path extends TObject = never,
  Query extends TObject = never,
  Headers extends TObject = never,
  Body extends TObject = never,
  Uploaded extends Upload = never,
  Failed extends Failure = never,
  Required extends Scope = never,
  Needs = unknown,
>(
  descriptor: Operation<Route, Responses, Path, Query, Headers, Body, Uploaded, Failed, Required, Needs>,
) => descriptor;

/** A handler whose input the compiler does not know. */
export type AnyHandler = Handler<Static<TObject>, Static<TObject>, Static<TSchema>>;

/** The handler of an operation, whose needs the compiler has checked where its descriptor was put into a plugin (`NeedsOf`). */
export const handlerOf = (operation: Operation, needs: unknown): AnyHandler => operation.handler(needs as never);

export const rulesOf = (operation: Operation, needs: unknown): Rules | undefined => operation.rules?.(needs as never);

/** By operationId, in the order of the document. */
export type Operations = Readonly<Record<string, Operation>>;

/** The names of its query parameters. */
export const queryNamesOf = ({ parameters }: Operation): string[] => Object.keys(parameters?.query?.properties ?? {});
export const methodOf = ({ route }: Operation): string => route.slice(0, route.indexOf(' '));
export const pathOf = ({ route }: Operation): string => route.slice(route.indexOf(' ') + 1);

/** The headers of responses; `document/parts.ts` describes each. */
export type HeaderName =
  | 'Accept-Ranges'
  | 'Cache-Control'
  | 'Connection'
  | 'Content-Disposition'
  | 'Content-Length'
  | 'Content-Range'
  | 'Content-Security-Policy'
  | 'ETag'
  | 'Last-Event-ID'
  | 'Link'
  | 'Location'
  | 'RateLimit'
  | 'RateLimit-Policy'
  | 'Retry-After'
  | 'X-Accel-Buffering'
  | 'X-Content-Type-Options'
  | 'X-Log-Position'
  | 'X-Request-Id'
  | 'X-Total-Count'
  | 'WWW-Authenticate';

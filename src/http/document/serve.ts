import { hash } from 'node:crypto';
import { Elysia } from 'elysia';
import { etagOf, IfNoneMatch, isKnown } from '../conditional.ts';
import { preferredType } from '../media-type.ts';
import { type PageToken, page } from '../page/page.ts';
import { checkHeaders, type RequestHeaders } from '../parameters.ts';
import { type Document, toYaml } from './document.ts';
import { toOpenApi30 } from './openapi-3.0.ts';
import { toOpenApi32 } from './openapi-3.2.ts';

/** Serves the document in all its versions and as YAML, the page that shows it, and the addresses of both at `/`. */
export const serveDocument = (create: () => Document, pageToken?: PageToken) => {
  const document = lazy(create);
  const serveJson = (convert: (document: Document) => object) =>
    serveText('application/json', () => JSON.stringify(convert(document())));
  const json = serveJson((unchanged) => unchanged);
  const yaml = serveText('application/yaml', () => toYaml(document()));
  return new Elysia()
    .get('/openapi.json', json)
    .get('/openapi-3.0.json', serveJson(toOpenApi30))
    .get('/openapi-3.2.json', serveJson(toOpenApi32))
    .get('/openapi.yaml', yaml)
    .use(page(document, pageToken))
    .get('/swagger/json', json)
    .get('/', root);
};

const lazy = <Value>(make: () => Value): (() => Value) => {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

/** Responds with a text that is created at the first request, or with 304 if the client has it. */
const serveText = (contentType: string, write: () => string): ((context: { headers: RequestHeaders }) => Response) => {
  const representation = lazy(() => {
    const text = write();
    const version = hash('sha256', text, 'base64url').slice(0, 16);
    // All clients share one copy, even slow ones.
    return { version, validators: { etag: etagOf(version), 'cache-control': 'no-cache' }, body: new Blob([text]) };
  });
  return ({ headers }) => {
    checkCondition({ headers });
    const { version, validators, body } = representation();
    return isKnown(headers, version)
      ? new Response(null, { status: 304, headers: validators })
      : new Response(body, { headers: { 'content-type': contentType, ...validators } });
  };
};

const checkCondition = checkHeaders(IfNoneMatch);

/** `GET /`: redirects a browser to the page, and returns one line of text with the address of the document to any other client. */
const root = ({ request }: { request: Request }): Response =>
  preferredType(request.headers, ['text/plain', 'text/html']) === 'text/html'
    ? new Response(null, { status: 302, headers: { location: '/swagger', vary } })
    : new Response(addresses, { headers: { 'content-type': 'text/plain; charset=utf-8', vary } });

/** Only paths: behind a proxy, the service does not know its own scheme. */
const addresses = 'The OpenAPI document is at /openapi.json, and a page that shows it at /swagger.\n';

/** A cache that ignores `Accept` would return the redirect for the text, or the reverse. */
const vary = 'accept';

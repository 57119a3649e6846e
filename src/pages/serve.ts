import { Elysia } from 'elysia';
import type { Document } from '../document/document.ts';
import { etagOf, isKnown } from '../http/conditional.ts';
import { preferredType } from '../http/media-type.ts';
import { checkHeaders, type RequestHeaders } from '../http/parameters.ts';
import type { PathPrefix } from '../http/path-prefix.ts';
import { IfNoneMatch } from '../plants/conditions.ts';
import { documentOfPage, page } from './document-page.ts';
import { once } from './once.ts';
import type { PageOptions } from './options.ts';
import { createRepresentations, inJson, inYaml, type Representation, serverPlaceholder } from './representations.ts';
import { createStartPage } from './start.ts';

/**
 * Serves the document in all its versions and as YAML, the page that shows it, and the addresses of both at `/`, as a page for browsers. Behind a proxy that removes a
 * prefix from the path, the server of the document is that prefix.
 */
export const serveDocument = (
  create: (serverUrl: string) => Promise<Document>,
  prefixOf: PathPrefix,
  options: PageOptions,
) => {
  const document = once(() => create(serverPlaceholder));
  const serveText = (
    contentType: string,
    write: (document: Document) => string | Promise<string>,
    writeServer: (serverUrl: string) => string,
  ) => {
    const representations = once(async () => createRepresentations(await write(await document()), writeServer));
    return async ({ headers, request }: { headers: RequestHeaders; request: Request }) => {
      checkCondition({ headers });
      const representationOf = await representations();
      return respond(representationOf(prefixOf(request) || '/'), headers, contentType);
    };
  };
  const serveJson = (convert: (document: Document) => object | Promise<object>) =>
    serveText('application/json', async (document) => JSON.stringify(await convert(document)), inJson);
  const json = serveJson((unchanged) => unchanged);
  const startPage = createStartPage(options);
  return new Elysia()
    .get('/openapi.json', json)
    .get(`/${documentOfPage}`, serveJson(withoutOptional))
    .get('/openapi-3.0.json', serveJson(convertTo30))
    .get('/openapi-3.2.json', serveJson(convertTo32))
    .get('/openapi.yaml', serveText('application/yaml', writeYaml, inYaml))
    .use(page(document, options))
    .get('/swagger/json', json)
    .get('/', ({ request }) => root(request, prefixOf(request), startPage, options));
};

// What only a document needs is loaded at the first request for it.
const convertTo30 = async (document: Document) => (await import('../document/openapi-3.0.ts')).toOpenApi30(document);
const convertTo32 = async (document: Document) => (await import('../document/openapi-3.2.ts')).toOpenApi32(document);
const withoutOptional = async (document: Document) =>
  (await import('./optional-examples.ts')).disableOptional(document);
const writeYaml = async (document: Document): Promise<string> => (await import('../document/yaml.ts')).toYaml(document);

/** Responds with the text, or with 304 if the client has it. */
const respond = ({ version, body }: Representation, headers: RequestHeaders, contentType: string): Response => {
  const validators = { etag: etagOf(version), 'cache-control': 'no-cache' };
  return isKnown(headers, version)
    ? new Response(null, { status: 304, headers: validators })
    : new Response(body, { headers: { 'content-type': contentType, ...validators } });
};

const checkCondition = checkHeaders(IfNoneMatch);

/** `GET /`: a page with links for a browser, and lines of text with the addresses for any other client. */
const root = (
  request: Request,
  prefix: string,
  { html, headers }: ReturnType<typeof createStartPage>,
  { hasInbox }: PageOptions,
): Response =>
  preferredType(request.headers, ['text/plain', 'text/html']) === 'text/html'
    ? new Response(html, { headers })
    : new Response(addressesAt(prefix) + (hasInbox ? inboxAt(prefix) : ''), {
        headers: { 'content-type': 'text/plain; charset=utf-8', vary: 'accept' },
      });

/** Only paths: behind a proxy, the service does not know its own scheme. */
const addressesAt = (prefix: string): string =>
  `The OpenAPI document is at ${prefix}/openapi.json, and a page that shows it at ${prefix}/swagger.\n`;

const inboxAt = (prefix: string): string => `The inbox for webhooks is at ${prefix}/inbox.\n`;

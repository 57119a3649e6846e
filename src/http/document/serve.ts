import { hash } from 'node:crypto';
import { Elysia } from 'elysia';
import twin from '../../../openapi-3.0.json';
import { etagOf, IfNoneMatch, isKnown } from '../conditional.ts';
import { page } from '../page/page.ts';
import { checkHeaders } from '../parameters.ts';
import { type Document, toYaml } from './document.ts';

/** Serves the document, as JSON and as YAML, its twin for tools that know OpenAPI 3.0 alone, and the page that shows it. */
export const serveDocument = (document: Document) => {
  const json = serveText(JSON.stringify(document), 'application/json');
  return new Elysia()
    .get('/openapi.json', json)
    .get('/openapi-3.0.json', serveText(JSON.stringify(twin), 'application/json'))
    .get('/openapi.yaml', serveText(toYaml(document), 'application/yaml'))
    .use(page(document))
    .get('/swagger/json', json)
    .get('/', ({ redirect }) => redirect('/swagger'));
};

/** Answers with a text that never changes while the program runs, or with 304 to those who have it. */
const serveText = (text: string, contentType: string) => {
  const version = hash('sha256', text, 'base64url').slice(0, 16);
  const headers = { etag: etagOf(version), 'cache-control': 'no-cache' };
  // One copy for all clients, however slowly they read.
  const body = new Blob([text]);
  const check = checkHeaders(IfNoneMatch);
  return ({ request }: { request: Request }): Response => {
    check({ request });
    return isKnown(request.headers, version)
      ? new Response(null, { status: 304, headers })
      : new Response(body, { headers: { 'content-type': contentType, ...headers } });
  };
};

import { hash } from 'node:crypto';
import { Elysia } from 'elysia';
import { etagOf, IfNoneMatch, isKnown } from '../conditional.ts';
import { page } from '../page/page.ts';
import { checkHeaders } from '../parameters.ts';
import { type Document, toYaml } from './document.ts';
import { toOpenApi30 } from './openapi-3.0.ts';

/** Serves the document, as JSON and as YAML, its twin for tools that know OpenAPI 3.0 alone, and the page that shows it. */
export const serveDocument = (document: Document) => {
  const json = serveText(() => JSON.stringify(document), 'application/json');
  return new Elysia()
    .get('/openapi.json', json)
    .get(
      '/openapi-3.0.json',
      serveText(() => JSON.stringify(toOpenApi30(document)), 'application/json'),
    )
    .get(
      '/openapi.yaml',
      serveText(() => toYaml(document), 'application/yaml'),
    )
    .use(page(document))
    .get('/swagger/json', json)
    .get('/', ({ redirect }) => redirect('/swagger'));
};

/** Answers with a text that is written when it is first asked for and never changes, or with 304 to those who have it. */
const serveText = (write: () => string, contentType: string) => {
  let written: ReturnType<typeof toAnswer> | undefined;
  const check = checkHeaders(IfNoneMatch);
  return ({ request }: { request: Request }): Response => {
    check({ request });
    written ??= toAnswer(write());
    const { version, headers, body } = written;
    return isKnown(request.headers, version)
      ? new Response(null, { status: 304, headers })
      : new Response(body, { headers: { 'content-type': contentType, ...headers } });
  };
};

const toAnswer = (text: string) => {
  const version = hash('sha256', text, 'base64url').slice(0, 16);
  // One copy for all clients, however slowly they read.
  return { version, headers: { etag: etagOf(version), 'cache-control': 'no-cache' }, body: new Blob([text]) };
};

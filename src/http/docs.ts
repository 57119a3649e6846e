import { hash } from 'node:crypto';
import { Elysia } from 'elysia';
import { etagOf, knownVersions } from './conditional.ts';
import { createDocument, toYaml } from './openapi.ts';
import { toOpenApi30 } from './openapi-3.0.ts';
import { page } from './page.ts';

/** Serves the document, as JSON and as YAML, its twin for tools that know OpenAPI 3.0 alone, and the page that shows it. */
export const docs = () => {
  const document = createDocument();
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
  return ({ request }: { request: Request }): Response => {
    written ??= toAnswer(write());
    const { version, headers, body } = written;
    return knownVersions(request.headers)(version)
      ? new Response(null, { status: 304, headers })
      : new Response(body, { headers: { 'content-type': contentType, ...headers } });
  };
};

const toAnswer = (text: string) => {
  const version = hash('sha256', text, 'base64url').slice(0, 16);
  // One copy for all clients, however slowly they read.
  return { version, headers: { etag: etagOf(version), 'cache-control': 'no-cache' }, body: new Blob([text]) };
};

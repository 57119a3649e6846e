import { hash } from 'node:crypto';
import { Elysia } from 'elysia';
import { etagOf, IfNoneMatch, isKnown } from '../conditional.ts';
import { type PageToken, page } from '../page/page.ts';
import { checkHeaders } from '../parameters.ts';
import type { RequestHeaders } from '../request-headers.ts';
import { root } from '../root.ts';
import { type Document, toYaml } from './document.ts';
import { toOpenApi30 } from './openapi-3.0.ts';
import { toOpenApi32 } from './openapi-3.2.ts';

/** Serves the document as JSON, as YAML, and as OpenAPI 3.0 and 3.2, the page that shows it, and the addresses of both at `/`. The document is created at the first request for it. */
export const serveDocument = (create: () => Document, pageToken?: PageToken) => {
  let created: Document | undefined;
  const document = (): Document => {
    created ??= create();
    return created;
  };
  const json = serveText('application/json', () => JSON.stringify(document()));
  return new Elysia()
    .get('/openapi.json', json)
    .get(
      '/openapi-3.0.json',
      serveText('application/json', () => JSON.stringify(toOpenApi30(document()))),
    )
    .get(
      '/openapi-3.2.json',
      serveText('application/json', () => JSON.stringify(toOpenApi32(document()))),
    )
    .get(
      '/openapi.yaml',
      serveText('application/yaml', () => toYaml(document())),
    )
    .use(page(document, pageToken))
    .get('/swagger/json', json)
    .get('/', root);
};

/** Responds with a text that is created at the first request, or with 304 if the client has it. */
const serveText = (contentType: string, write: () => string) => {
  let written: ReturnType<typeof toAnswer> | undefined;
  return ({ headers }: { headers: RequestHeaders }): Response => {
    checkCondition({ headers });
    written ??= toAnswer(write());
    const { version, validators, body } = written;
    return isKnown(headers, version)
      ? new Response(null, { status: 304, headers: validators })
      : new Response(body, { headers: { 'content-type': contentType, ...validators } });
  };
};

const checkCondition = checkHeaders(IfNoneMatch);

const toAnswer = (text: string) => {
  const version = hash('sha256', text, 'base64url').slice(0, 16);
  // All clients share one copy, even slow ones.
  return { version, validators: { etag: etagOf(version), 'cache-control': 'no-cache' }, body: new Blob([text]) };
};

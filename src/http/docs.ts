import { swagger } from '@elysiajs/swagger';
import { Elysia } from 'elysia';
import type { Document } from './openapi.ts';
import { jsonResponse } from './response.ts';

/**
 * Serves the document, and the page that shows it. The plugin is asked for the page and for `/swagger/json` alone: all that
 * it would generate by itself is silenced, since it writes OpenAPI 3.0.
 */
export const docs = (document: Document) =>
  new Elysia()
    .use(swagger({ path: '/swagger', scalarVersion, documentation: document as object, exclude: [/.*/] }))
    .get('/openapi.json', () => jsonResponse(document))
    .get('/', ({ redirect }) => redirect('/swagger'));

const scalarVersion = '1.44.0';

/** Bun puts the files of the page into a binary, under other names. */
import { resolve } from 'node:path';
import type { EmbeddedAssets } from './assets.ts';
import scalar from './scalar-1.72.1-bf091006bdc3.js.gz' with { type: 'file' };
import swaggerUiStyle from './swagger-ui-5.35.0-5ed08757e53d.css.gz' with { type: 'file' };
import swaggerUiScript from './swagger-ui-5.35.0-e6a898692f2d.js.gz' with { type: 'file' };

/** In a bundle a path is relative, otherwise absolute. */
export const embeddedAssets: EmbeddedAssets = [scalar, swaggerUiScript, swaggerUiStyle].map((path) =>
  resolve(import.meta.dir, path),
);

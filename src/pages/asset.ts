/** The files that the pages load: scripts and styles in `assets/`, unchanged from their packages and compressed. */
import { openAsBlob } from 'node:fs';
import { Elysia } from 'elysia';
import { embeddedAssets } from '#runtime/pages/assets';
import { prefersGzip } from '../http/media-type.ts';
import { once } from './once.ts';

/** Serves the file with this name, such as `scalar-1.72.1-bf091006bdc3.js`. */
export const serveAsset = (name: string) => {
  const packed = once(() => openAsBlob(pathOf(`${name}.gz`)));
  /** One shared copy for the few clients that do not accept gzip, even slow ones. */
  const unpacked = once(async () => {
    const { gunzipSync } = await import('node:zlib');
    return new Blob([gunzipSync(await (await packed()).bytes())]);
  });
  const type = name.endsWith('.css') ? 'text/css' : 'text/javascript';
  const headers = { ...assetHeaders, 'content-type': `${type}; charset=utf-8` };
  return new Elysia().get(`/${assetPath(name)}`, async ({ request }) =>
    prefersGzip(request.headers)
      ? new Response(await packed(), { headers: { ...headers, 'content-encoding': 'gzip' } })
      : new Response(await unpacked(), { headers }),
  );
};

/** Relative to the page. */
export const assetPath = (name: string): string => `swagger-assets/${name}`;

/** In the npm package, the folder is beside the bundle. A binary gives its files other names, which contain these without their endings. */
const pathOf = (name: string): string | URL =>
  embeddedAssets.find((path) => path.includes(name.replace(/\.\w+\.gz$/, ''))) ??
  new URL(`assets/${name}`, import.meta.url);

const assetHeaders = {
  vary: 'Accept-Encoding',
  'cache-control': 'public, max-age=31536000, immutable',
};

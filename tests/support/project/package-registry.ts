import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A registry that has one package in one version. With `env`, npm, Bun and Deno install it by its name from there, and no other. */
export const startRegistry = (tarball: string, manifest: { readonly name: string; readonly version: string }) => {
  const bytes = readFileSync(tarball);
  const { name, version } = manifest;
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    routes: {
      [`/${name}`]: ({ url }: Request) => {
        const dist = { tarball: new URL(`/${name}.tgz`, url).href, integrity };
        return Response.json({
          name,
          'dist-tags': { latest: version },
          versions: { [version]: { ...manifest, dist } },
        });
      },
      [`/${name}.tgz`]: () => new Response(bytes),
    },
    fetch: () => new Response(null, { status: 404 }),
  });
  return {
    env: { NPM_CONFIG_REGISTRY: server.url.href },
    [Symbol.dispose]: () => void server.stop(true),
  };
};

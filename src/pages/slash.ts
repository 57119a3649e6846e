import { Elysia } from 'elysia';
import { routing } from '../http/plugin.ts';

/** Leads a browser from the path of a page with a slash at its end to the page. Relative, so that it works behind a proxy that removes a prefix. */
export const redirectSlashes = (pages: readonly string[]): Elysia => {
  const app = new Elysia(routing);
  for (const page of pages)
    app.get(`/${page}/`, ({ request }) => {
      const location = `../${page}${new URL(request.url).search}`;
      return new Response(null, { status: 308, headers: { location } });
    });
  // The compiler need not know the routes: no client of the API calls them.
  return app as unknown as Elysia;
};

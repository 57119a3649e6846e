import type { AnyElysia } from 'elysia';
import { AppError, methodNotAllowed } from '../domain/error.ts';

/** Answers OPTIONS on each path so far, and refuses every method that it lacks, with the exact `Allow` in both. */
export const refuseOtherMethods = <App extends AnyElysia>(app: App): App => {
  const methodsOf = Map.groupBy(app.routes, ({ path }) => path);
  for (const [path, routes] of methodsOf) {
    const methods = new Set(routes.map(({ method }) => method));
    if (methods.has('ALL')) continue;
    if (methods.has('GET')) methods.add('HEAD');
    const allow = [...methods.add('OPTIONS')].sort().join(', ');
    app.all(path, ({ request }) => {
      if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: { allow } });
      throw new AppError(methodNotAllowed, { allow });
    });
  }
  return app;
};

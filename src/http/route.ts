/** Converts a route of Elysia to the form of the document: `/plants/{id}` for `/plants/:id`. Null for the route of all other paths. */
export const templateOf = (route: string | null): string | null =>
  route === null || route === '/*' ? null : route.replaceAll(/:(\w+)/g, '{$1}');

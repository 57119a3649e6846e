/** A route of Elysia as the document has it: `/plants/{id}` for `/plants/:id`. Null for the one that takes all other paths. */
export const templateOf = (route: string | null): string | null =>
  route === null || route === '/*' ? null : route.replaceAll(/:(\w+)/g, '{$1}');

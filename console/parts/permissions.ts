/** What the scopes of a token permit, in words. */

const words: Readonly<Record<string, string>> = {
  'plants:read': 'read plants',
  'plants:write': 'change plants',
  'webhooks:read': 'read webhooks',
  'webhooks:write': 'change webhooks',
  'metrics:read': 'read metrics',
};

export const permissions = (scopes: readonly string[]): string => {
  const all = scopes.map((scope) => words[scope] ?? scope);
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
};

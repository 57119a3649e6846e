/** JSON Pointers (RFC 6901), and what they lead to. */

export type Members = Readonly<Record<string, unknown>>;

/** The names in a pointer, such as `['paths', '/plants']`. It may begin with `#`. */
export const namesIn = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));

export const pointerOf = (names: readonly string[]): string =>
  names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** The member or item with this name. Undefined if there is none. */
export const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;

export const valueAt = (value: unknown, pointer: string): unknown => namesIn(pointer).reduce(memberOf, value);

/** The pointer in the fragment of a URI reference, such as `#/components/schemas/Plant`. Undefined if it is not one. */
export const pointerIn = (reference: string): string | undefined => {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  try {
    return decodeURIComponent(reference.slice(1));
  } catch {
    return undefined;
  }
};

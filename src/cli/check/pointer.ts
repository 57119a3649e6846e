/** JSON Pointers (RFC 6901), and what they lead to in a document. */

export type Members = Readonly<Record<string, unknown>>;

/** The names in a pointer, such as `['paths', '/plants']`. */
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

/**
 * Where a pointer leads if each Reference Object on the way is replaced by its target. Undefined if it leads nowhere, or if references lead
 * back to themselves.
 */
export const follow = (document: unknown, pointer: string): { pointer: string; value: unknown } | undefined => {
  let found: { pointer: string; value: unknown } | undefined = { pointer: '', value: document };
  for (const name of namesIn(pointer)) {
    found = throughReferences(document, found);
    const value = memberOf(found?.value, name);
    if (found === undefined || value === undefined) return undefined;
    found = { pointer: found.pointer + pointerOf([name]), value };
  }
  return throughReferences(document, found);
};

/** A Schema Object may have keywords beside `$ref`, so a reference with any is where the way ends. */
const throughReferences = (
  document: unknown,
  start: { pointer: string; value: unknown } | undefined,
): { pointer: string; value: unknown } | undefined => {
  let found = start;
  const passed = new Set<string>();
  while (found !== undefined) {
    const reference = memberOf(found.value, '$ref');
    const pointer = typeof reference === 'string' ? pointerIn(reference) : undefined;
    if (pointer === undefined || Object.keys(found.value ?? {}).some((name) => !besideReference.has(name)))
      return found;
    if (passed.has(pointer)) return undefined;
    passed.add(pointer);
    const value = valueAt(document, pointer);
    found = value === undefined ? undefined : { pointer, value };
  }
  return undefined;
};

const besideReference = new Set(['$ref', 'summary', 'description']);

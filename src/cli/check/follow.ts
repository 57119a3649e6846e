/** The place to which a pointer leads in a document with references. */
import { memberOf, namesIn, pointerIn, pointerOf, valueAt } from '../../base/json-pointer.ts';

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

/**
 * Reads a `Prefer` header (RFC 7240 §2): the values of the preferences, by their names in lower case. The first of a repeated
 * preference counts. The value is empty if there is none. Parameters are ignored.
 */
export const readPreferences = (header: string): ReadonlyMap<string, string> => {
  const preferences = new Map<string, string>();
  for (const [element] of header.matchAll(elementForm)) {
    const [, name = '', quoted, bare = ''] = preferenceForm.exec(element) ?? [];
    const value = quoted?.replaceAll(/\\(.)/g, '$1') ?? bare.trim();
    if (!preferences.has(name.toLowerCase())) preferences.set(name.toLowerCase(), value);
  }
  return preferences;
};

/** An element of the list. A comma in a quoted string, which may lack its end, is a part of it. */
const elementForm = /(?:"(?:[^"\\]|\\.|\\$)*(?:"|$)|[^",])+/g;

const preferenceForm = /^\s*([^\s=;]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*)))?/;

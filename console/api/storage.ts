/** The storage of the browser. A user can block it: then nothing is stored, and the page works. */

type Kind = 'sessionStorage' | 'localStorage';

const open = (kind: Kind): Storage | undefined => {
  try {
    return globalThis[kind];
  } catch {
    return undefined;
  }
};

export const readStored = (kind: Kind, key: string): string | undefined => {
  try {
    return open(kind)?.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
};

/** Stores the text, or removes it if it is undefined. Returns whether the browser has done so. */
export const store = (kind: Kind, key: string, text: string | undefined): boolean => {
  try {
    if (text === undefined) open(kind)?.removeItem(key);
    else open(kind)?.setItem(key, text);
    return open(kind) !== undefined;
  } catch {
    return false;
  }
};

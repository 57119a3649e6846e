/** Where the token is: in the memory of the tab, and in its session storage only if the user says so. */

const key = `plant-store-token ${new URL('.', location.href).pathname}`;

/** A public one, which a demo has. */
const given = document.body.dataset['token'] ?? '';

export const hint = document.body.dataset['hint'] ?? '';

export const savedToken = (): string | undefined => sessionStorage.getItem(key) ?? undefined;

export const firstToken = (): string => savedToken() ?? given;

export const saveToken = (token: string, isKept: boolean): void => {
  if (isKept) sessionStorage.setItem(key, token);
  else sessionStorage.removeItem(key);
};

/** Other characters cannot be in a header. */
export const isToken = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);

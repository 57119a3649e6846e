/** Where the token is kept: in the memory of the page, and in the tab or the browser if the user says so. */
import { readStored, store } from './storage.ts';

export type Keep = 'page' | 'tab' | 'browser';

const key = `plant-store-token ${new URL('.', location.href).pathname}`;

/** A public one, which a demo has. */
const given = document.body.dataset['token'] ?? '';

export const hint = document.body.dataset['hint'] ?? '';

export const savedToken = (): { readonly token: string; readonly keep: Keep } => {
  const ofTab = readStored('sessionStorage', key);
  if (ofTab !== undefined) return { token: ofTab, keep: 'tab' };
  const ofBrowser = readStored('localStorage', key);
  if (ofBrowser !== undefined) return { token: ofBrowser, keep: 'browser' };
  return { token: given, keep: 'page' };
};

/** Returns whether the token is kept there. */
export const saveToken = (token: string, keep: Keep): boolean => {
  const isInTab = store('sessionStorage', key, keep === 'tab' ? token : undefined);
  const isInBrowser = store('localStorage', key, keep === 'browser' ? token : undefined);
  return { page: true, tab: isInTab, browser: isInBrowser }[keep];
};

import { exactFetch } from '../exact-json.ts';

/** What each client is given. Without `exactFetch`, which is the line that matters, a client changes the wrong plant. */
export const settings = {
  url: import.meta.env.VITE_PLANT_STORE_URL ?? 'http://127.0.0.1:3000',
  /** The public token of the demo. */
  token: 'plant_ThisTokenIsPublicUseItForTests0JVZRz',
  fetch: exactFetch,
};

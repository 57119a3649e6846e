/** Keeps `fetch` from a proxy that the environment names. Bun takes `false` for none, which its types do not know. */
export const noProxy: object = { proxy: false };

/** Makes `fetch` ignore the proxy settings of the environment. Bun accepts `false` for no proxy, which its types do not include. */
export const noProxy: object = { proxy: false };

import { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query';
import { readBody } from './plants.ts';
import { settings } from './settings.ts';

/** The `apiFile` of rtk-query.config.json. Text ids are also what a Redux store can hold: it warns about a BigInt. */
export const api = createApi({
  baseQuery: fetchBaseQuery({
    baseUrl: settings.url,
    prepareHeaders: (headers) => headers.set('authorization', `Bearer ${settings.token}`),
    fetchFn: (input, init) => settings.fetch(input, init),
    // The store holds no Blob either, so it has the address of one.
    responseHandler: async (response) => {
      const body = await readBody(response);
      return body instanceof Blob ? URL.createObjectURL(body) : body;
    },
  }),
  endpoints: () => ({}),
});

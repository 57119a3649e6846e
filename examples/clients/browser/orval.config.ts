import { defineConfig } from 'orval';

export default defineConfig({
  plants: {
    // Of an operation with an image or a form as its body, Orval writes code that does not compile.
    input: { target: './generated/openapi.json', filters: { mode: 'exclude', tags: ['pictures'] } },
    output: {
      target: './generated/orval.ts',
      client: 'fetch',
      override: { mutator: { path: './clients/orval-fetch.ts', name: 'orvalFetch' } },
    },
  },
});

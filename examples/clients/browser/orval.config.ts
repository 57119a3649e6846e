import { defineConfig } from 'orval';

export default defineConfig({
  plants: {
    input: { target: './generated/openapi.json' },
    output: {
      target: './generated/orval.ts',
      client: 'fetch',
      override: {
        mutator: { path: './clients/orval-fetch.ts', name: 'orvalFetch' },
        // Of an operation with an image or a form as its body, Orval writes code that does not compile.
        contentType: { exclude: ['multipart/form-data'] },
      },
    },
  },
});

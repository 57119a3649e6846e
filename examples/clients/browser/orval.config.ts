import { defineConfig } from 'orval';

export default defineConfig({
  plants: {
    input: './generated/openapi.json',
    output: {
      target: './generated/orval.ts',
      client: 'fetch',
      override: { mutator: { path: './clients/orval-fetch.ts', name: 'orvalFetch' } },
    },
  },
});

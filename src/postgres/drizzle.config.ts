import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: './src/postgres/tables.ts',
  out: './src/postgres/migrations',
});

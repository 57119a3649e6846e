import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: './src/postgres/db/tables.ts',
  out: './src/postgres/db/migrations',
});

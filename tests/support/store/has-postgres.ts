import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Whether the program has its engine for PostgreSQL. A copy of the project may lack `src/postgres/`. */
export const hasPostgres = existsSync(join(import.meta.dirname, '../../../src/postgres'));

import { sql } from 'drizzle-orm';

/** A placeholder as SQL, for an update, which takes no bare one. */
export const given = (column: string) => sql`${sql.placeholder(column)}`;

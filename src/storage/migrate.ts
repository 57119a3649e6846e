/** The migrations of a database, which both engines record and check in the same way. */
import { hash } from 'node:crypto';

export interface Migration {
  readonly name: string;
  /** Statements, separated by drizzle-kit's `--> statement-breakpoint`. */
  readonly sql: string;
}

/** A row of `schema_migrations`. */
export type AppliedMigration = Readonly<Record<'name' | 'hash', string>>;

/**
 * The reason to refuse a database with pending migrations, as the end of a message. Only commands that are called for it migrate: a
 * process of the earlier version may be using the database, and could not continue.
 */
export const olderSchema = 'has the schema of an earlier version; make a backup, and run migrate';

/** The migrations after the applied ones. Throws if those are not the first of all; `toError` gets the reason, as the end of a message. */
export const findPending = (
  applied: readonly AppliedMigration[],
  migrations: readonly Migration[],
  toError: (reason: string) => Error,
): readonly Migration[] => {
  if (applied.length > migrations.length) throw toError('was written by a newer version of this program');
  for (const [index, { name, hash }] of applied.entries()) {
    const known = migrations[index];
    if (known?.name !== name) throw toError('was written by another version of this program');
    if (hashOf(known) !== hash) throw toError('was migrated by an altered version of this program');
  }
  return migrations.slice(applied.length);
};

/** The statements that apply a migration and record it. */
export const statementsOf = (migration: Migration): string[] => [
  ...migration.sql.split('--> statement-breakpoint'),
  `INSERT INTO schema_migrations (name, hash, applied_at)
    VALUES ('${migration.name}', '${hashOf(migration)}', '${new Date().toISOString()}')`,
];

const hashOf = ({ sql }: Migration): string => hash('sha256', sql, 'hex');

/**
 * Every migration that drizzle-kit has generated, in order, as text inside the program: a compiled binary has no folder
 * to read them from. A test keeps this list equal to the folder.
 */
import store from './migrations/postgres/0000_store.sql' with { type: 'text' };
import postgresLeases from './migrations/postgres/0001_leases.sql' with { type: 'text' };
import postgresTraceparent from './migrations/postgres/0002_events_traceparent.sql' with { type: 'text' };
import plantsTokens from './migrations/sqlite/0000_plants_tokens.sql' with { type: 'text' };
import plantsTag from './migrations/sqlite/0001_plants_tag.sql' with { type: 'text' };
import events from './migrations/sqlite/0002_events.sql' with { type: 'text' };
import webhooks from './migrations/sqlite/0003_webhooks.sql' with { type: 'text' };
import webhookTests from './migrations/sqlite/0004_webhook_tests.sql' with { type: 'text' };
import requestedAt from './migrations/sqlite/0005_requested_at.sql' with { type: 'text' };
import leases from './migrations/sqlite/0006_leases.sql' with { type: 'text' };
import traceparent from './migrations/sqlite/0007_events_traceparent.sql' with { type: 'text' };

export interface Migration {
  readonly name: string;
  /** Statements, separated by drizzle-kit's `--> statement-breakpoint`. */
  readonly sql: string;
}

export const sqliteMigrations: readonly Migration[] = [
  { name: '0000_plants_tokens', sql: plantsTokens },
  { name: '0001_plants_tag', sql: plantsTag },
  { name: '0002_events', sql: events },
  { name: '0003_webhooks', sql: webhooks },
  { name: '0004_webhook_tests', sql: webhookTests },
  { name: '0005_requested_at', sql: requestedAt },
  { name: '0006_leases', sql: leases },
  { name: '0007_events_traceparent', sql: traceparent },
];

export const postgresMigrations: readonly Migration[] = [
  { name: '0000_store', sql: store },
  { name: '0001_leases', sql: postgresLeases },
  { name: '0002_events_traceparent', sql: postgresTraceparent },
];

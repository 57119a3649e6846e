import { isNotNull, sql } from 'drizzle-orm';
import { blob, customType, index, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/** SQLite's INTEGER without loss: Drizzle's own integer column converts to a double. Needs a connection with `safeIntegers`. */
const int64 = customType<{ data: bigint; driverData: bigint }>({ dataType: () => 'integer' });

/** Times are RFC 3339 text in UTC: they sort as text, and are readable in the sqlite3 shell. */
const instant = (name: string) => text(name);

export const plants = sqliteTable(
  'plants',
  {
    /** The rowid itself, so that the primary key needs no index. */
    id: int64('id').primaryKey(),
    name: text('name').notNull(),
    tag: text('tag'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    /** A `Picture` as JSON. Its bytes are in `pictures`. */
    picture: text('picture'),
  },
  // Every index of SQLite ends with the rowid, so these are sorted by id within a tag and a time. Plants without a tag have no entry.
  (table) => [
    index('plants_tag').on(table.tag).where(isNotNull(table.tag)),
    index('plants_created_at').on(table.createdAt),
  ],
);

/** The bytes of pictures: a table of its own, so that no other query reads them. */
export const pictures = sqliteTable('pictures', {
  plantId: int64('plant_id').primaryKey(),
  content: blob('content', { mode: 'buffer' }).notNull(),
});

/** The events of plants, in order: the log that `GET /events` returns and that webhooks are sent from. */
export const events = sqliteTable(
  'events',
  {
    /** The rowid: one more than the newest, which is never removed. So it increases without a gap and is used once. */
    sequence: int64('sequence').primaryKey(),
    type: text('type').notNull(),
    timestamp: instant('timestamp').notNull(),
    /** The plant after the change: only its id if it was deleted. */
    plantId: int64('plant_id'),
    name: text('name'),
    tag: text('tag'),
    /** The trace of the request, for the messages (W3C Trace Context). NULL when the request had none, and for imports. */
    traceparent: text('traceparent'),
    /** Only of a change to a picture: a `Picture` as JSON. */
    picture: text('picture'),
  },
  (table) => [index('events_type').on(table.type)],
);

export const webhooks = sqliteTable('webhooks', {
  id: text('id').primaryKey(),
  url: text('url').notNull(),
  /** The types of the events to send, separated by spaces. */
  events: text('events').notNull(),
  description: text('description'),
  /** A list of `Secret` as JSON, in plain text, since the service signs with them. */
  secrets: text('secrets').notNull(),
  /** Every event up to this sequence is sent, or has a row in `deliveries`. */
  position: int64('position').notNull(),
  createdAt: instant('created_at').notNull(),
  failingSince: instant('failing_since'),
  disabledAt: instant('disabled_at'),
  disabledReason: text('disabled_reason'),
  /** When a client last enabled it. */
  enabledAt: instant('enabled_at'),
  /** The lease of the process that sends to it: see `deliveries/lease.ts`. NULL while no process does. */
  leaseOwner: text('lease_owner'),
  leaseEpoch: int64('lease_epoch').notNull().default(sql`0`),
  leaseExpiresAt: instant('lease_expires_at'),
});

/**
 * A delivery to a webhook: of an event of the log, or of a test message, whose event is not in the log, so that no reader of the log
 * ever skips one. There is a row once there was an attempt, or a request for one.
 */
export const deliveries = sqliteTable(
  'deliveries',
  {
    webhookId: text('webhook_id').notNull(),
    /** Of a test message: the newest event when it was requested, or 0 when there was none. */
    sequence: int64('sequence').notNull(),
    /** The number of a test message: one more than the largest. It is 0 for an event of the log. */
    number: int64('number').notNull().default(sql`0`),
    /** Only of a test message. */
    timestamp: instant('timestamp'),
    /** A list of `Attempt` as JSON. */
    attempts: text('attempts').notNull(),
    attemptsInRound: int64('attempts_in_round').notNull(),
    /** NULL once it is delivered or given up. */
    nextAttemptAt: instant('next_attempt_at'),
    /** When it was requested; NULL once it was attempted. */
    requestedAt: instant('requested_at'),
    /** A `DeliveryState`, which follows from the attempts and the next one. */
    state: text('state').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.webhookId, table.sequence, table.number] }),
    index('deliveries_due')
      .on(table.webhookId, table.nextAttemptAt)
      .where(sql`${table.nextAttemptAt} is not null and ${table.requestedAt} is null`),
    index('deliveries_requested').on(table.webhookId, table.requestedAt).where(isNotNull(table.requestedAt)),
    index('deliveries_state').on(table.state, table.sequence, table.number, table.webhookId),
    // Test messages are few, so these indexes cost the other deliveries nothing.
    uniqueIndex('deliveries_tests').on(table.number).where(isNotNull(table.timestamp)),
    index('deliveries_tests_pending')
      .on(table.webhookId)
      .where(sql`${table.timestamp} is not null and ${table.nextAttemptAt} is not null`),
    index('deliveries_tests_settled')
      .on(table.timestamp)
      .where(sql`${table.timestamp} is not null and ${table.nextAttemptAt} is null`),
  ],
);

/** The processes that send webhooks. */
export const senders = sqliteTable('senders', {
  id: text('id').primaryKey(),
  expiresAt: instant('expires_at').notNull(),
});

export const tokens = sqliteTable(
  'tokens',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    /** SHA-256 of the token in hexadecimal; the token itself is not stored. */
    digest: text('digest').notNull(),
    /** Separated by spaces, as in RFC 6749 §3.3. */
    scopes: text('scopes').notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at'),
    revokedAt: instant('revoked_at'),
    /** The beginning of the hour. */
    lastUsedAt: instant('last_used_at'),
  },
  (table) => [uniqueIndex('tokens_digest').on(table.digest)],
);

/** The migrations that `sqlite/migrate.ts` has applied to this database. */
export const schemaMigrations = sqliteTable('schema_migrations', {
  name: text('name').primaryKey(),
  /** SHA-256 of the migration's text in hexadecimal: it shows an applied migration that was edited later. */
  hash: text('hash').notNull(),
  appliedAt: instant('applied_at').notNull(),
});

import type { ReservedSQL } from 'bun';
import type { BunSQLDatabase } from 'drizzle-orm/bun-sql';

/** One connection. After its end every query rejects: Bun's pool would send the rest of a transaction on another connection. */
export interface Client {
  readonly sql: ReservedSQL;
  /** The same connection, for queries that Drizzle builds. */
  readonly db: BunSQLDatabase;
  /** Whether a pooler gives the server session to other clients between transactions: its state ends with each transaction. */
  readonly isPooled: boolean;
  /** Aborted when the connection has ended. */
  readonly ended: AbortSignal;
  /** Ends the connection without waiting for its queries, which reject. */
  close(): void;
  /** Makes later connections work without what a transaction pooler lacks. */
  suspectPooler(): void;
}

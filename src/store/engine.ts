/** The contract of an engine other than SQLite. The program loads it for a URL of its scheme: see `src/engines/load.ts`. */
import type { ExclusiveStore } from '../storage/dump.ts';
import type { StoreObserver } from '../storage/observer.ts';
import type { Store } from './store.ts';

export interface Engine {
  /** Throws OperatorError. Its message completes one about the URL, such as "its sslmode must be …", and repeats no value. */
  readonly parse: (url: string) => ServerDatabase;
}

/** A database on a server. It has no member with a password. */
export interface ServerDatabase {
  readonly engine: 'postgres';
  /** The database system, by the names of OpenTelemetry (https://opentelemetry.io/docs/specs/semconv/registry/attributes/db). */
  readonly system: string;
  /** Its URL for people, without the login. */
  readonly name: string;
  /** Whether all its reads are of one state: two standbys have different ones. */
  readonly isOneServer: boolean;
  /** Until `opened` resolves, and while the database is unavailable, every call waits for a short time and rejects with AppError `unavailable`. */
  readonly open: (options: OpenOptions) => Store;
  /** Opens the database for exclusive use. Rejects with OperatorError if it must not be used, or is in use. */
  readonly openExclusive: (options: { readonly create: boolean }) => Promise<ExclusiveStore>;
}

export interface OpenOptions {
  /** Whether to create a missing database, or on a server its missing tables. Default: true. */
  readonly create?: boolean;
  /** Whether to migrate a database of an earlier version, which is otherwise refused. Default: false. */
  readonly upgrade?: boolean;
  /** Whether nothing is written, so that the server may be a standby. Default: false. */
  readonly isReadOnly?: boolean;
  /** Whether to wait for a server that cannot be reached yet. Default: false. */
  readonly isPatient?: boolean;
  /** Called with the names of the applied migrations, if any. All of them are applied to a new database. */
  readonly onMigrated?: (names: readonly string[], options: { readonly isNew: boolean }) => void;
  /** Called with the reason when the database becomes unavailable, and without one when it is available again. */
  readonly onAway?: (reason: string | undefined) => void;
  /** Called once when the database is behind a transaction pooler, or behind a pooler whose mode is not known. */
  readonly onPooled?: () => void;
  /** Receives the reports of the store. Default: none. */
  readonly observer?: StoreObserver;
}

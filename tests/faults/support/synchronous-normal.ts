/** Preloaded, it makes the program sync as SQLite does by default in WAL mode: not at each commit. For a control. */
import { Database } from 'bun:sqlite';

const run = Database.prototype.run;
Database.prototype.run = function (this: Database, sql: string, ...bindings: never[]) {
  return run.call(this, sql.replace('synchronous = FULL', 'synchronous = NORMAL'), ...bindings);
};

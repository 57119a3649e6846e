/** Is preloaded, and makes the program not sync at each commit, like the default of SQLite in WAL mode. For a control. */
import { Database } from 'bun:sqlite';

const run = Database.prototype.run;
Database.prototype.run = function (this: Database, sql: string, ...bindings: never[]) {
  return run.call(this, sql.replace('synchronous = FULL', 'synchronous = NORMAL'), ...bindings);
};

/** Is preloaded, and makes the program not sync at each commit, like the default of SQLite in WAL mode. For a control. */
const weaken = (sql: string): string => sql.replace('synchronous = FULL', 'synchronous = NORMAL');

if (process.versions.bun === undefined) {
  const { prototype } = (await import('node:sqlite')).DatabaseSync;
  const { prepare } = prototype;
  prototype.prepare = function (sql) {
    return prepare.call(this, weaken(sql));
  };
} else {
  const { prototype } = (await import('bun:sqlite')).Database;
  const { run } = prototype;
  prototype.run = function (this: typeof prototype, sql: string, ...bindings: never[]) {
    return run.call(this, weaken(sql), ...bindings);
  };
}

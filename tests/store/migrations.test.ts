/** The migrations of both engines, as drizzle-kit has generated them. */
import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { postgresMigrations, sqliteMigrations } from '../../db/migrations.ts';
import { temporaryFolder } from '../support/folder.ts';

const root = join(import.meta.dir, '../..');

describe.each([
  { engine: 'sqlite', dialect: 'sqlite', migrations: sqliteMigrations },
  { engine: 'postgres', dialect: 'postgresql', migrations: postgresMigrations },
])('$engine', ({ engine, dialect, migrations }) => {
  const folder = join(root, 'db/migrations', engine);

  test(`the program includes every migration of ${engine} that drizzle-kit has generated, in order`, () => {
    const generated = readdirSync(folder)
      .filter((name) => name.endsWith('.sql'))
      .sort()
      .map((name) => ({ name: name.slice(0, -'.sql'.length), sql: readFileSync(join(folder, name), 'utf8') }));
    expect(generated.length).toBeGreaterThan(0);
    expect(migrations).toEqual(generated);
  });

  test(`the migrations make the tables of db/${engine}.ts: drizzle-kit finds nothing more to generate`, async () => {
    using scratch = temporaryFolder();
    const out = scratch.file('migrations');
    await Bun.$`cp -R ${folder} ${out}`.quiet();
    const before = readdirSync(out);
    const schema = join(root, `db/${engine}.ts`);
    const kit = join(root, 'node_modules/drizzle-kit/bin.cjs');
    // drizzle-kit takes its output folder relative to where it runs.
    const { exitCode, stdout } =
      await Bun.$`${process.execPath} ${kit} generate --dialect ${dialect} --schema ${schema} --out migrations`
        .cwd(scratch.path)
        .nothrow()
        .quiet();
    expect(stdout.toString()).toContain('No schema changes');
    expect(exitCode).toBe(0);
    expect(readdirSync(out)).toEqual(before);
  });
});

/** Databases of earlier versions, to which only the first migrations are applied, and the commands that refuse them. */
import type { Command } from 'commander';
import { createContext } from '../../../src/cli/context.ts';
import { createProgram } from '../../../src/cli/program.ts';
import { isPostgresUrl } from '../../../src/config/setting-values.ts';
import { createOlderSqlite } from './sqlite.ts';

/** The columns that every version has. */
export const insertPlant = `INSERT INTO plants (id, name, created_at, updated_at)
  VALUES (1, 'n', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`;

/** Creates a database with this number of migrations and one plant at a path or a URL. */
export const createOlder = async (database: string, count: number): Promise<void> =>
  isPostgresUrl(database)
    ? (await import('./older-postgres.ts')).createOlderPostgres(database, count)
    : createOlderSqlite(database, count, (client) => client.run(insertPlant));

/** The end of what a command prints that refuses such a database. */
export const refusal = /has the schema of an earlier version; make a backup, and run migrate\. It was not changed\.\n$/;

/** The shortest command line of each command that opens a database with `--database`, and refuses an older one. */
export const refusingCommands = async (): Promise<string[][]> =>
  commandLinesOf(await createProgram(createContext())).filter(([name = '']) => !others.includes(name));

/** Those that may migrate, that copies a database as it is, that replaces it, and that opens none. */
const others = ['serve', 'migrate', 'import', 'backup', 'restore', 'settings'];

const commandLinesOf = (command: Command, path: readonly string[] = []): string[][] => [
  ...(command.options.some(({ long }) => long === '--database') ? [[...path, ...argumentsOf(command)]] : []),
  ...command.commands.flatMap((one) => commandLinesOf(one, [...path, one.name()])),
];

const argumentsOf = (command: Command): string[] => [
  ...command.registeredArguments.filter((one) => one.required).map((one) => required[one.name()] ?? 'x'),
  ...command.options.filter(({ mandatory }) => mandatory).flatMap(({ long }) => [long ?? '', 'x']),
];

/** Required arguments, by their names. All others are the ids of something. */
const required: Readonly<Record<string, string>> = { url: 'https://example.com/', file: '-' };

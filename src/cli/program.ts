import { Command, CommanderError } from 'commander';
import { version } from '../../package.json';
import { codeOf, OperatorError } from '../base/error.ts';
import { SettingError } from '../config.ts';
import { AppError } from '../domain/error.ts';
import { addBackup } from './backup.ts';
import { addExport } from './export.ts';
import { addImport } from './import.ts';
import { addListen } from './listen.ts';
import { addMigrate } from './migrate.ts';
import { addOpenapi } from './openapi.ts';
import { printLines } from './output.ts';
import { addServe } from './serve.ts';
import { refuseForeignSettings } from './surroundings.ts';
import { addToken } from './token.ts';
import { addWebhook } from './webhook.ts';

/** In the order of the help. */
const commands = [addServe, addMigrate, addToken, addImport, addExport, addBackup, addWebhook, addListen, addOpenapi];

const exitCodes = { done: 0, failed: 1, misused: 2 };

/** Runs a command line, without the program's own name, and resolves to the exit code. Data goes to stdout, messages to stderr. */
export const run = async (args: readonly string[]): Promise<number> => {
  const program = new Command('plant-store')
    .description('A plant store over HTTP that does everything its OpenAPI document says.')
    .exitOverride()
    .showHelpAfterError('Run with --help for what it takes.');
  for (const add of commands) add(program);
  program
    .command('version')
    .description('print the version')
    .action(() => printLines([version]));

  try {
    refuseForeignSettings();
    await program.parseAsync(args, { from: 'user' });
    return Number(process.exitCode ?? exitCodes.done);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.misused;
    console.error(`plant-store: ${explain(error)}`);
    return error instanceof SettingError ? exitCodes.misused : exitCodes.failed;
  }
};

/** One plain line for an error that a person can repair, such as one of the system; the stack for a defect. */
const explain = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const isRepairable = error instanceof SettingError || error instanceof OperatorError || error instanceof AppError;
  return isRepairable || /^E[A-Z]+$/.test(codeOf(error) ?? '') ? error.message : (error.stack ?? error.message);
};

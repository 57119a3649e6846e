import { styleText } from 'node:util';
import { Command, CommanderError } from 'commander';
// On Node.js it makes texts of imports, in what is loaded later: the commands.
import '#runtime';
import { AppError } from '../base/app-error.ts';
import { OperatorError, systemReasonOf } from '../base/error.ts';
import { isDiskFull, printReport, reportOf } from '../base/error-report.ts';
import { SettingError } from '../config/config.ts';
import { type Context, createContext, PrintedFailure, tryToWrite } from './context.ts';
import { isClosedPipe, isTerminal } from './descriptor.ts';
import { version } from './package.ts';
import { usageErrorOf } from './usage-error.ts';

/** In the order of the help. A command is loaded when it is called: most need only a part of the program. */
const commands: Readonly<Record<string, () => Promise<(program: Command, context: Context) => void>>> = {
  serve: async () => (await import('./serve.ts')).addServe,
  health: async () => (await import('./health.ts')).addHealth,
  settings: async () => (await import('./settings.ts')).addSettingsCommand,
  migrate: async () => (await import('./migrate.ts')).addMigrate,
  token: async () => (await import('./token.ts')).addToken,
  plants: async () => (await import('./plants.ts')).addPlants,
  import: async () => (await import('./import.ts')).addImport,
  export: async () => (await import('./export.ts')).addExport,
  backup: async () => (await import('./backup.ts')).addBackup,
  restore: async () => (await import('./restore.ts')).addRestore,
  copy: async () => (await import('./copy.ts')).addCopy,
  webhook: async () => (await import('./webhook.ts')).addWebhook,
  tail: async () => (await import('./tail.ts')).addTail,
  listen: async () => (await import('./listen.ts')).addListen,
  openapi: async () => (await import('./openapi.ts')).addOpenapi,
  check: async () => (await import('./check.ts')).addCheck,
  version: async () => addVersion,
};

const addVersion = (program: Command, { printLines }: Context): void => {
  program
    .command('version')
    .description('print the version')
    .action(() => printLines([version]));
};

const exitCodes = { done: 0, failed: 1, misused: 2 };

/** The command line for these arguments. It has one command if they begin with its name. The help, and the advice on a misspelt name, need all. */
export const createProgram = async (context: Context, args: readonly string[] = []): Promise<Command> => {
  const { stdout, stderr } = context;
  const program = new Command('plant-store')
    .description('Plant Store, a sample service that does what its OpenAPI document says.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .exitOverride()
    .configureHelp({
      styleTitle: bold,
      styleCommandText: bold,
      styleSubcommandTerm: bold,
      styleOptionTerm: bold,
      minWidthToWrap: 20,
    })
    .configureOutput({
      writeOut: (text) => tryToWrite(text, stdout),
      writeErr: (text) => tryToWrite(text, stderr),
      outputError: (text, write) => write(usageErrorOf(text, args)),
      getOutHelpWidth: () => (isTerminal(stdout) ? process.stdout.columns : widthOfPipe),
      getErrHelpWidth: () => (isTerminal(stderr) ? process.stderr.columns : widthOfPipe),
    })
    .showHelpAfterError('Run with --help for usage.');
  const [first = ''] = args;
  const loads = Object.hasOwn(commands, first) ? [commands[first]] : Object.values(commands);
  for (const load of loads) (await load?.())?.(program, context);
  return program;
};

const widthOfPipe = 80;

/** Runs a command line, without the program's own name, and resolves to the exit code. */
export const run = async (args: readonly string[], context = createContext()): Promise<number> => {
  try {
    const program = await createProgram(context, args);
    await program.parseAsync(args, { from: 'user' });
    return Number(process.exitCode ?? exitCodes.done);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.misused;
    if (error instanceof PrintedFailure) return exitCodes.failed;
    // The reader of a pipe may stop early.
    if (!isClosedPipe(error)) context.printError(explain(error));
    return error instanceof SettingError ? exitCodes.misused : exitCodes.failed;
  }
};

/** Without these listeners, Bun prints every member of an error that no code handles. Its exit code and its end are the same. */
export const reportUncaught = (): void => {
  process.on('unhandledRejection', fail).on('uncaughtException', (error) => {
    fail(error);
    process.exit();
  });
};

const fail = (error: unknown): void => {
  createContext().printError(explain(error));
  process.exitCode = exitCodes.failed;
};

/** Commander removes styles where the output is not a terminal, or NO_COLOR is set. */
const bold = (text: string): string => styleText('bold', text, { validateStream: false });

/** One plain line for an error that a person can repair, such as one of the system; a report for any other. */
const explain = (error: unknown): string[] => {
  if (error instanceof AppError && isDiskFull(error.cause)) return [`${error.message} The disk is full.`];
  if (error instanceof SettingError || error instanceof OperatorError || error instanceof AppError)
    return [error.message];
  const reason = systemReasonOf(error);
  if (reason === undefined) return printReport(reportOf(error)).split('\n');
  const isOfPath = error instanceof Error && 'path' in error;
  return [isOfPath ? `Cannot access ${error.path}: ${reason}.` : `The system reports: ${reason}.`];
};

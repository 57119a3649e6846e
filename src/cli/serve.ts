import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { startService } from '../app/service.ts';
import { stopSignal } from '../base/signal.ts';
import type { Config, Flags } from '../config/config.ts';
import { misspeltSettings } from '../config/setting-names.ts';
import { responseDelay } from '../config/setting-values.ts';
import { listen } from '../http/server.ts';
import type { Log } from '../log.ts';
import type { StoreObserver } from '../storage/observer.ts';
import type { Store } from '../store/store.ts';
import type { Tracer } from '../telemetry/tracer.ts';
import type { Context } from './context.ts';
import { openStore } from './database.ts';
import { developmentToken, developmentTokenFile, firstSteps } from './development.ts';
import { loadConfig } from './load-config.ts';
import { openLog } from './log.ts';
import { addDatabaseOption, addListenOptions, addSettings, parserOf } from './options.ts';
import { buildOf, version } from './package.ts';
import { serveDemo } from './serve-demo.ts';

/** @limit Processes | Wait of a stop for requests and attempts in flight | they are cut off */
const graceMs = 10_000;
/** How long a stop waits after the disk has failed. */
const graceAfterFailureMs = 1000;

/** How long a service whose file was replaced reports that it is not ready, so that a load balancer notices before the port closes. */
const unreadyMs = 2000;

/** What is not available behind a transaction pooler. */
const withoutSession =
  'prepared statements, pipelining, and wake-ups by other processes, for which it polls; a session pooler needs pooler=session in the URL';

export const addServe = (program: Command, context: Context): void => {
  addSettings(addListenOptions(addDatabaseOption(program.command('serve'))))
    .description('start the HTTP service')
    .addOption(new Option('--demo', 'serve example data from memory; nothing is stored').conflicts('database'))
    .addOption(
      new Option('--demo-anywhere', '--demo on an address that other machines can reach').implies({ demo: true }),
    )
    .addOption(
      new Option('--delay <time>', `delay of every response of --demo, ${responseDelay.words}`).argParser(
        parserOf(responseDelay),
      ),
    )
    .addOption(new Option('--read-only', 'serve only reads, as from a standby of PostgreSQL').conflicts('demo'))
    .option('--no-webhooks', 'do not send webhooks, as for a restored copy; deliveries stay pending')
    .action((flags, command) => serve(flags, command, context));
};

interface ServeFlags extends Flags {
  readonly webhooks: boolean;
  readonly demoAnywhere?: boolean;
  /** In milliseconds. */
  readonly delay?: number;
}

/**
 * Resolves when a signal has stopped the service, or, with exit code 1, when the disk has failed. Throws if it cannot start.
 *
 * The port is bound before the database is opened, so a second instance on the same port changes nothing. No request can arrive
 * in between, since nothing is awaited. While a PostgreSQL server is unavailable, the app reports that it is not ready.
 */
const serve = async (
  { webhooks, demoAnywhere: isAnywhere = false, delay: delayMs, ...flags }: ServeFlags,
  command: Command,
  context: Context,
): Promise<void> => {
  if (delayMs !== undefined && !flags.demo) command.error('error: --delay requires --demo.');
  const config = await loadConfig(flags, context.env);
  const { isReadOnly } = config;
  const isSending = webhooks && !isReadOnly;
  const log = await openLog(config, context.stderr);
  const misspelt = misspeltSettings(context.env);
  if (misspelt.length > 0) log.warn({ variables: misspelt }, 'misspelt settings');
  if (flags.demo)
    return serveDemo({
      config,
      log,
      tracer: await loadTracer(config, log),
      isSending,
      isAnywhere,
      delayMs,
      printNotice: context.printNotice,
    });
  const end = Promise.withResolvers<void>();
  let stop = { delayMs: config.shutdownDelayMs, graceMs };
  void stopSignal().then((signal) => {
    log.info({ signal }, 'stopping');
    end.resolve();
  });

  const tracer = await loadTracer(config, log);
  const createInbox = config.hasInbox ? (await import('../demo/inbox/inbox.ts')).createInbox : undefined;
  const server = await listen({ ...config, log, fetch: (request) => service.fetch(request) });
  const open = (observer: StoreObserver): Store =>
    openStore(config, {
      upgrade: true,
      isPatient: true,
      observer,
      onMigrated: (migrations) => log.info({ migrations }, 'migrated'),
      onExposed: () => log.warn('other users of this machine may be able to read the database: its files are not 0600'),
      onAway: (reason) => {
        const { name: database } = config.database;
        if (reason === undefined) log.info({ database }, 'database available');
        else log.warn({ database, reason }, 'database unavailable');
      },
      onPooled: () =>
        log.warn({ database: config.database.name, without: withoutSession }, 'behind a transaction pooler'),
      onFatal: ({ kind, message, cause }) => {
        log.fatal({ err: cause }, message);
        process.exitCode = 1;
        stop = { delayMs: kind === 'file_replaced' ? unreadyMs : 0, graceMs: graceAfterFailureMs };
        end.resolve();
      },
    });
  const { stopping, peerOf, isPending, limitTime } = server;
  const pageToken = config.isDevelopment
    ? { hint: `The token in the file \`${developmentTokenFile(config)}\`.` }
    : undefined;
  const service = startService({
    config,
    log,
    tracer,
    build: buildOf(config),
    openStore: open,
    serverUrl: () => server.url,
    createInbox:
      pageToken && createInbox && ((parts) => createInbox({ ...parts, token: pageToken, requiresLoopbackHost: true })),
    pageToken,
    stopping,
    peerOf,
    isPending,
    limitTime,
  });
  const { store } = service;
  // A stop does not wait for the database.
  const isOpen = await Promise.race([store.opened.then(() => true), end.promise.then(() => false)]);
  if (isOpen) log.info({ url: server.url, ...(!isSending && { webhooks: 'not sent' }) }, 'ready');
  // The first requests may have arrived.
  await sleep(0);
  if (isOpen && isSending) service.startSender();
  if (isOpen && !isReadOnly) service.startPruning();
  if (isOpen && !isReadOnly) service.startUses();
  if (isOpen && config.isDevelopment && !isReadOnly) {
    const token = await developmentToken(store.tokens, config);
    context.printNotice(firstSteps(server.url, token, createInbox !== undefined));
  }

  await end.promise;
  await Promise.all([server.stop(stop), service.stop(stop.graceMs)]);
  if (process.exitCode === undefined) await service.recordUses();
  await Promise.all([store.close(), tracer?.stop()]);
  log.info('stopped');
};

/** OpenTelemetry is loaded when it is used. */
const loadTracer = async (config: Config, log: Log): Promise<Tracer | undefined> => {
  if (!config.tracing) return undefined;
  const { createTracer } = await import('../telemetry/opentelemetry.ts');
  return createTracer({ ...config.tracing, version, system: config.database.system, log });
};

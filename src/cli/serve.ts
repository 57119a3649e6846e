import { type Command, InvalidArgumentError, Option } from 'commander';
import { version } from '../../package.json';
import { stopSignal } from '../base/signal.ts';
import { type Config, type Flags, readConfig } from '../config.ts';
import { createApp } from '../http/app.ts';
import { listen } from '../http/server.ts';
import { startPruning } from '../jobs/prune.ts';
import { createLog, type Log } from '../log.ts';
import { createMetrics, toStoreObserver } from '../metrics.ts';
import { responseDelay } from '../setting-values.ts';
import { settings } from '../settings.ts';
import type { Tracer } from '../tracing/tracer.ts';
import { createPost } from '../webhooks/attempt.ts';
import { startScheduler } from '../webhooks/scheduler.ts';
import { buildOf, named, nameOf, openStore, systemOf } from './database.ts';
import { developmentToken, developmentTokenFile, firstSteps } from './development.ts';
import { addDatabaseOption, addSettings, defaultOf } from './options.ts';
import { printNotice } from './output.ts';
import { serveDemo } from './serve-demo.ts';

/**
 * How long a stop waits for requests and attempts in flight, and the same after the disk has failed.
 *
 * @limit Processes | Wait of a stop for requests and attempts in flight | They are cut off.
 */
const graceMs = 10_000;
const graceAfterFailureMs = 1000;

/** How long a service whose file was replaced reports that it is not ready, so that a load balancer notices before the port closes. */
const unreadyMs = 2000;

/** What is not available behind a transaction pooler. */
const withoutSession = 'prepared statements, pipelining, and wake-ups by other processes, for which it polls';

export const addServe = (program: Command): void => {
  addSettings(addDatabaseOption(program.command('serve')))
    .description('start the HTTP service')
    .option('--host <host>', `address to listen on ${defaultOf(settings.host)}`)
    .option('--port <port>', `port to listen on; 0 picks a free one ${defaultOf(settings.port)}`)
    .addOption(new Option('--demo', 'serve example data from memory; nothing is stored').conflicts('database'))
    .addOption(
      new Option('--demo-anywhere', '--demo on an address that other machines can reach').implies({ demo: true }),
    )
    .addOption(
      new Option('--delay <time>', `delay of every response of --demo, ${responseDelay.words}`).argParser(parseDelay),
    )
    .option('--no-webhooks', 'do not send webhooks, as for a restored copy; deliveries stay pending')
    .action(serve);
};

interface ServeFlags extends Flags {
  readonly webhooks: boolean;
  readonly demoAnywhere?: boolean;
  /** In milliseconds. */
  readonly delay?: number;
}

/** Throws commander's InvalidArgumentError. */
const parseDelay = (text: string): number => {
  const delayMs = responseDelay.read(text);
  if (delayMs === undefined) throw new InvalidArgumentError(`It must be ${responseDelay.words}.`);
  return delayMs;
};

/**
 * Resolves when a signal has stopped the service, or, with exit code 1, when the disk has failed. Throws if it cannot start.
 *
 * The port is bound before the database is opened, so a second instance on the same port changes nothing. No request can arrive
 * in between, since there is no `await`. While a PostgreSQL server is unavailable, the app reports that it is not ready.
 */
const serve = async (
  { webhooks: isSending, demoAnywhere: isAnywhere = false, delay: delayMs, ...flags }: ServeFlags,
  command: Command,
): Promise<void> => {
  if (delayMs !== undefined && !flags.demo) command.error('error: --delay requires --demo.');
  const config = readConfig(flags);
  const log = createLog(config.logLevel);
  if (flags.demo)
    return serveDemo({ config, log, tracer: await loadTracer(config, log), isSending, isAnywhere, delayMs });
  const metrics = createMetrics(buildOf(config));
  const end = Promise.withResolvers<void>();
  let stop = { delayMs: config.shutdownDelayMs, graceMs };
  void stopSignal().then((signal) => {
    log.info({ signal }, 'stopping');
    end.resolve();
  });

  const tracer = await loadTracer(config, log);
  const server = listen({ ...config, log, fetch: (request) => app.fetch(request) });
  const store = openStore(config, {
    isPatient: true,
    observer: toStoreObserver(metrics, tracer?.onBatch),
    onMigrated: (migrations) => log.info({ migrations }, 'migrated'),
    onExposed: () => log.warn('other users of this machine may be able to read the database: its files are not 0600'),
    onAway: (reason) => {
      const database = nameOf(config);
      if (reason === undefined) log.info({ database }, 'database available');
      else log.warn({ database, reason }, 'database unavailable');
    },
    onPooled: () => log.warn({ database: nameOf(config), without: withoutSession }, 'behind a transaction pooler'),
    onFatal: ({ kind, message, cause }) => {
      log.fatal({ err: cause }, message);
      process.exitCode = 1;
      stop = { delayMs: kind === 'displaced' ? unreadyMs : 0, graceMs: graceAfterFailureMs };
      end.resolve();
    },
  });
  const { stopping, peerOf, limitTime } = server;
  const pageToken = config.isDevelopment
    ? { hint: `The token in the file \`${developmentTokenFile(config)}\`.` }
    : undefined;
  const app = createApp({ store, config, log, metrics, tracer, stopping, peerOf, limitTime, pageToken });
  // A stop does not wait for the database.
  const isOpen = await Promise.race([named(config, store.opened).then(() => true), end.promise.then(() => false)]);
  const post = createPost({ allowPrivate: config.webhookAllowPrivate });
  const scheduler = isOpen && isSending ? startScheduler({ store, post, log, metrics, tracer }) : undefined;
  const { eventRetentionMs: retentionMs } = config;
  const stopPruning = isOpen ? startPruning({ events: store.events, retentionMs, log, metrics }) : undefined;
  if (isOpen) log.info({ url: server.url, ...(!isSending && { webhooks: 'not sent' }) }, 'ready');
  if (isOpen && config.isDevelopment) {
    const token = await developmentToken(store.tokens, config);
    printNotice(firstSteps(server.url, token, config));
  }

  await end.promise;
  await Promise.all([server.stop(stop), scheduler?.stop(stop.graceMs), stopPruning?.()]);
  await Promise.all([store.close(), tracer?.stop()]);
  log.info('stopped');
};

/** OpenTelemetry is loaded when it is used. */
const loadTracer = async (config: Config, log: Log): Promise<Tracer | undefined> => {
  if (!config.tracing) return undefined;
  const { createTracer } = await import('../tracing/opentelemetry.ts');
  return createTracer({ ...config.tracing, version, system: systemOf(config), log });
};

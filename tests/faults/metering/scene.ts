/** Processes on one database, a Prometheus that scrapes them, and a client whose requests are counted. */
import { writeFileSync } from 'node:fs';
import { temporaryFolder } from '../../support/folder.ts';
import { sendInTurn } from '../../support/plant-load.ts';
import { type RunningServer, runProgram, startServer } from '../../support/programs/process.ts';
import { type Prometheus, startPrometheus } from '../../support/telemetry/prometheus-server.ts';
import { createDatabase } from '../support/database.ts';
import type { Verdict } from '../support/verdict.ts';
import { createExpectations, type Expectations } from './expectations.ts';
import { createRequestTally, type RequestTally } from './request-tally.ts';

/** Use with `await using`. */
export interface Scene extends AsyncDisposable {
  readonly name: string;
  readonly servers: readonly RunningServer[];
  /** `host:port` of each. */
  readonly targets: readonly string[];
  /** Between these times all processes have started. */
  readonly startedSeconds: readonly [earliest: number, latest: number];
  /** A token that can only read metrics. */
  readonly metricsToken: string;
  readonly prometheus: Prometheus;
  readonly expectations: Expectations;
  readonly tally: RequestTally;
  /** Sends a counted POST to one of the processes. */
  post(path: string, body: object): Promise<Response>;
}

export interface SceneOptions {
  readonly name: string;
  readonly database: string;
  readonly processes: number;
  /** Settings of the processes. */
  readonly env?: Readonly<Record<string, string>>;
}

export const startScene = async (
  { name, database, processes, env = {} }: SceneOptions,
  expect: Verdict['expect'],
): Promise<Scene> => {
  const headers = await createDatabase(database);
  const metricsToken = await createMetricsToken(database);
  const running = new AsyncDisposableStack();
  const backups = running.use(temporaryFolder());
  writeFileSync(backups.file('plants.sqlite'), '');
  const settings = { WEBHOOK_ALLOW_PRIVATE: 'true', BACKUP_FOLDER: backups.path, ...env };
  const start = () => startServer(database, { env: settings });
  const earliestSeconds = Date.now() / 1000;
  const servers = await Promise.all(Array.from({ length: processes }, async () => running.use(await start())));
  const startedSeconds = [earliestSeconds, Date.now() / 1000] as const;
  const urls = servers.map(({ url }) => url);
  const targets = urls.map((url) => new URL(url).host);
  const prometheus = running.use(await startPrometheus(targets, metricsToken));
  const tally = createRequestTally(sendInTurn(urls, headers));
  return {
    name,
    servers,
    targets,
    startedSeconds,
    metricsToken,
    prometheus,
    expectations: createExpectations(name, prometheus, expect),
    tally,
    post: (path, body) => tally.send('POST', path, { headers: {}, body: JSON.stringify(body) }),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
};

const createMetricsToken = async (database: string): Promise<string> => {
  const create = ['token', 'create', '--name', 'prometheus', '--scope', 'metrics:read', '--database', database];
  return (await runProgram(create)).stdout.trim();
};

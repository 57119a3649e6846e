/** A real OpenTelemetry Collector, built from its Go modules. It forwards the traces that it receives to a server of the trial, as JSON. */
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/folder.ts';
import { freePort } from '../../support/network/port.ts';
import { until } from '../../support/until.ts';
import { skip } from './options.ts';

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
}

export interface OtelCollector extends AsyncDisposable {
  /** As `OTEL_EXPORTER_OTLP_ENDPOINT` takes it. */
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** Kills it. Its port refuses connections until `start`. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** Without optimizations and symbols the compiler takes three quarters of the time. */
const cheapBuild = ['-gcflags=all=-N -l', '-ldflags=-s -w'];

/** Builds the program, in about a minute the first time, and returns its path. Skips the trial if that fails. */
export const buildCollector = (): string => {
  const go = Bun.which('go', { PATH: `${process.env['PATH']}:/usr/local/go/bin` });
  if (go === null) return skip('go is not installed');
  const folder = temporaryFolder();
  process.on('exit', folder[Symbol.dispose]);
  cpSync(join(import.meta.dir, '../collector'), folder.path, { recursive: true });
  const command = [go, 'build', '-mod=mod', ...cheapBuild, '-o', 'collector', '.'];
  const build = Bun.spawnSync(command, { cwd: folder.path, stderr: 'pipe' });
  return build.success ? folder.file('collector') : skip(`the collector cannot be built: ${build.stderr}`);
};

export const startCollector = async (program: string): Promise<OtelCollector> => {
  const folder = temporaryFolder();
  const spans: CollectedSpan[] = [];
  const sink = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const { resourceSpans }: Traces = JSON.parse(await request.text());
      for (const { scopeSpans } of resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans);
      return Response.json({});
    },
  });
  const port = await freePort();
  const config = folder.file('config.yaml');
  writeFileSync(config, Bun.YAML.stringify(configOf(port, sink.url.origin)));
  const run = () => Bun.spawn([program, '--config', config], { stdout: 'ignore', stderr: 'inherit' });
  let child = run();
  const url = `http://127.0.0.1:${port}`;
  const started = () =>
    until(() =>
      fetch(url).then(
        () => true,
        () => false,
      ),
    );
  await started();
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await child.exited;
  };
  return {
    url,
    spans,
    kill,
    start: () => {
      child = run();
      return started();
    },
    [Symbol.asyncDispose]: async () => {
      await kill();
      await sink.stop(true);
      folder[Symbol.dispose]();
    },
  };
};

interface Traces {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly CollectedSpan[] }[] }[];
}

/** It responds only after it has forwarded the traces. */
const configOf = (port: number, sink: string) => ({
  receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${port}` } } } },
  exporters: {
    otlp_http: {
      endpoint: sink,
      encoding: 'json',
      compression: 'none',
      sending_queue: { enabled: false },
      retry_on_failure: { enabled: false },
    },
  },
  service: {
    pipelines: { traces: { receivers: ['otlp'], exporters: ['otlp_http'] } },
  },
});

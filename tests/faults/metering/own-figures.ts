/** Compares the metrics of a process about itself with other sources. */
import type { RunningServer } from '../../support/programs/process.ts';
import { type Prometheus, readValue } from '../../support/telemetry/prometheus-server.ts';
import { memoryMebibytes } from '../support/usage.ts';
import type { Verdict } from '../support/verdict.ts';

/** Expects the memory that Linux reports, within 50 %, and a start between these times, by clocks that differ by a second. */
export const expectOwnFigures = async (
  prometheus: Prometheus,
  { pid, url }: RunningServer,
  [earliestSeconds, latestSeconds]: readonly [earliest: number, latest: number],
  expect: Verdict['expect'],
): Promise<void> => {
  const read = (metric: string) => readValue(prometheus, `${metric}{instance="${new URL(url).host}"}`);
  const mebibytes = (await read('process_resident_memory_bytes')) / 2 ** 20;
  const seen = memoryMebibytes(pid);
  expect(
    mebibytes > seen / 2 && mebibytes < seen * 2,
    `a process says that it uses ${mebibytes} MiB, and uses ${seen}`,
  );
  const startedAt = await read('process_start_time_seconds');
  expect(
    startedAt > earliestSeconds - 1 && startedAt < latestSeconds + 1,
    `a process that started from ${earliestSeconds} to ${latestSeconds} says ${startedAt}`,
  );
};

/** Expects that promtool finds no fault in the metrics. */
export const expectWellFormed = async (
  { url }: RunningServer,
  token: string,
  expect: Verdict['expect'],
): Promise<void> => {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  const promtool = Bun.spawn(['promtool', 'check', 'metrics'], { stdin: response, stdout: 'pipe', stderr: 'pipe' });
  const [said, complained, exitCode] = await Promise.all([
    promtool.stdout.text(),
    promtool.stderr.text(),
    promtool.exited,
  ]);
  expect(response.status === 200 && exitCode === 0, `promtool: ${said}${complained}`);
};

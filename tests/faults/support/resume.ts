/** Whether processes of the service read and write again after an interruption. */
import type { RunningServer } from '../../support/programs/process.ts';
import { lostMs } from './comes-true.ts';

/** Resolves to the status, or to 0 if there is no response. */
export const ask = async (url: string, init: RequestInit = {}): Promise<number> =>
  fetch(url, { ...init, signal: AbortSignal.timeout(lostMs) }).then(
    ({ status }) => status,
    () => 0,
  );

let probes = 1_000_000;

/** Creates plants until one is created and the process is ready. Throws after a minute. */
export const untilResumed = async (
  { url }: RunningServer,
  headers: Readonly<Record<string, string>>,
): Promise<void> => {
  const endsAtMs = performance.now() + lostMs;
  const canCreate = async (): Promise<boolean> => {
    probes += 1;
    return (await ask(`${url}/plants`, { method: 'POST', headers, body: `{"id":${probes},"name":"n"}` })) === 200;
  };
  while (!(await canCreate()) || (await ask(`${url}/readyz`)) !== 200) {
    if (performance.now() > endsAtMs) throw new Error('A process does not resume.');
    await Bun.sleep(10);
  }
};

import type { Load } from '../../support/plant-load.ts';
import { auditLog } from '../../support/postgres/postgres-audit.ts';
import type { RunningServer } from '../../support/programs/process.ts';
import type { Verdict } from './verdict.ts';

/** Expects an order of the requests that explains all responses of the load, and a log at `url` whose replay gives the same plants. */
export const expectExplained = async (load: Load, url: string, expect: Verdict['expect']): Promise<void> => {
  for (const fault of [...load.faults(), ...(await auditLog(url))]) expect(false, fault);
};

/** Stops the processes by SIGTERM, one after the other, and expects exit code 0. */
export const stopInOrder = async (servers: Iterable<RunningServer>, expect: Verdict['expect']): Promise<void> => {
  for (const server of servers) {
    server.kill('SIGTERM');
    expect((await server.exited) === 0, 'a process did not shut down cleanly');
  }
};

/** Part of the last line of a trial. */
export const countsOf = (load: Load): Record<string, number> => ({
  acknowledged: load.acknowledged(),
  'answered 50300': load.count(50300),
  'answered 50301': load.count(50301),
});

/** Sends the rows of a file, a few at a time. A refused row does not stop the others; a token that is refused or a lost server does. */
import { exact } from '../../examples/eden/client.ts';
import { type Api, expect } from '../api/client.ts';
import { asProblem, explain, type Problem } from '../api/problem.ts';
import type { Row } from './rows.ts';

export interface Rejected {
  readonly line: number;
  readonly id: string;
  readonly reason: string;
}

export interface Progress {
  /** Rows that were created, or existed already with the same content. */
  readonly created: number;
  readonly rejected: readonly Rejected[];
}

interface SendOptions {
  readonly api: Api;
  readonly rows: readonly Row[];
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

const concurrent = 8;

/** A report copies the rejected rows, of which a large file can have many. */
const reportEveryMs = 200;

/**
 * Resolves to the rows that were not sent, which are none unless it was aborted, and to the problem that stopped it. A row can be sent
 * again: its id makes a repeated create harmless.
 */
export const sendRows = async ({ api, rows, signal, onProgress }: SendOptions) => {
  let next = 0;
  const unsent: Row[] = [];
  const rejected: Rejected[] = [];
  let created = 0;
  let problem: Problem | undefined;
  let reportedAtMs = 0;

  const send = async (row: Row): Promise<void> => {
    const reject = (reason: string): void =>
      void rejected.push({ line: row.line, id: `${row.body?.['id'] ?? ''}`, reason });
    if (!row.body) return reject(row.reason ?? '');
    try {
      await createPatiently(api, row.body, signal);
      created += 1;
    } catch (error) {
      const cause = asProblem(error);
      if (isOfRow(cause)) return reject(explain(cause));
      unsent.push(row);
      problem ??= cause;
    }
  };
  const report = (): void => {
    reportedAtMs = performance.now();
    onProgress({ created, rejected: [...rejected] });
  };
  const work = async (): Promise<void> => {
    for (let row = rows[next++]; row; row = rows[next++]) {
      if (problem || signal.aborted) unsent.push(row);
      else await send(row);
      if (performance.now() - reportedAtMs > reportEveryMs) report();
    }
  };
  await Promise.all(Array.from({ length: concurrent }, work));
  report();
  return { unsent: unsent.toSorted((a, b) => a.line - b.line), problem };
};

/** Whether the problem is one of the row, not of the token or the server. */
const isOfRow = ({ status }: Problem): boolean => [400, 409, 413].includes(status);

/** Tries again while the service is busy, as long as it says so. */
const createPatiently = async (
  api: Api,
  body: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<void> => {
  for (;;) {
    try {
      // The API checks the members of the row.
      await expect(api.plants.post(exact(body) as never));
      return;
    } catch (error) {
      const problem = asProblem(error);
      if (!problem.isTemporary || signal.aborted) throw problem;
      await new Promise((resolve) => setTimeout(resolve, problem.retryAfterSeconds * 1000));
    }
  }
};

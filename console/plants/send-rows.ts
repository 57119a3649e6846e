/** Sends the rows of a file, a few at a time. A row that fails does not stop the others; a token that is refused or a lost server does. */
import type { Api } from '../api/api.ts';
import { expect } from '../api/client.ts';
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
    const { line, id, json, reason = '' } = row;
    const reject = (reason: string): void => void rejected.push({ line, id, reason });
    if (json === undefined) return reject(reason);
    try {
      await createPatiently(api, json, signal);
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

/**
 * Whether the problem is one of the row, not of the token or the server. Also an error of the console or the service, and the refusal of a
 * proxy: the same row would meet it again, and the import would never continue.
 */
const isOfRow = ({ status, number }: Problem): boolean =>
  [-1, 400, 409, 413, 415, 422].includes(status) || number === 50000;

/** Tries again while the service is busy, as long as it says so. */
const createPatiently = async (api: Api, json: string, signal: AbortSignal): Promise<void> => {
  for (;;) {
    try {
      // Eden sends a text as it is. The API checks its members.
      await expect(api.plants.post(json as never, asJson));
      return;
    } catch (error) {
      const problem = asProblem(error);
      if (!problem.isTemporary || signal.aborted) throw problem;
      await new Promise((resolve) => setTimeout(resolve, problem.retryAfterSeconds * 1000));
    }
  }
};

const asJson = { headers: { 'content-type': 'application/json' } };

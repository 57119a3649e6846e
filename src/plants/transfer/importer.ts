/**
 * Imports of files that clients send. A file is received and checked completely before its transaction begins, so a slow client keeps nobody
 * waiting; the checked rows wait in a temporary file, which has no name and ends with the import. The transactions take turns, each after the
 * writes that wait by then.
 */
import { AppError, brokenBody, emptyBody, importRowsMax } from '../../base/app-error.ts';
import { OperatorError } from '../../base/error.ts';
import { respond } from '../../http/responder.ts';
import { requestSecondsMax } from '../../http/server.ts';
import { openUpload, type Upload } from '../../http/upload.ts';
import type { HttpServer } from '../../runtime/runtime.ts';
import type { PlantStore } from '../store.ts';
import { invalidRows, takenRows, tooManyImports, tooManyRows, unreadableFile } from './failures.ts';
import type { FileRow, PlantFormat } from './format.ts';
import { createIgnored } from './ignored.ts';
import { type CheckedRow, type Counts, checkRows, type OnConflict, putRows, type RejectedRow } from './import-rows.ts';
import { createRequestSpool } from './request-spool.ts';

export interface ImporterOptions {
  readonly plants: Pick<PlantStore, 'putAll'>;
  /** The folder for temporary files. */
  readonly spoolFolder: string;
  readonly limitTime: HttpServer['limitTime'];
}

export interface ImportRequest {
  readonly request: Request;
  readonly upload: Upload;
  readonly format: PlantFormat;
  readonly onConflict: OnConflict;
  readonly isPartial: boolean;
  readonly isDryRun: boolean;
}

/** @limit Requests | Imports in progress of a process | 503 */
export const importsMax = 8;

/** @limit Requests | Time to receive the body of `POST /import` | the connection is closed */
const receiveSecondsMax = 120;

/** @limit Requests | Rejected rows that the response to `POST /import` lists | the others are counted */
export const rejectedRowsMax = 10_000;

/** So many plants are put in one turn of the event loop. */
const batchRows = 500;

/** Returns a function that imports the file of a request, and resolves to the response. */
export const createImporter = ({ plants, spoolFolder, limitTime }: ImporterOptions) => {
  let inProgress = 0;
  let earlier: Promise<unknown> = Promise.resolve();

  /** Runs a transaction when those before it have ended. */
  const inTurn = <Result>(run: () => Promise<Result>): Promise<Result> => {
    const own = earlier.then(run);
    earlier = own.catch(() => {});
    return own;
  };

  const importFile = async ({
    request,
    upload,
    format,
    onConflict,
    isPartial,
    isDryRun,
  }: ImportRequest): Promise<Response> => {
    const body = openUpload(request, upload);
    const rejects = createRejects();
    const ignored = createIgnored();

    const throwIfRejected = (failureOf: typeof invalidRows | typeof takenRows): void => {
      const [first] = rejects.rows;
      if (first && !isPartial && !isDryRun) throw new AppError(failureOf(rejects.count, first));
    };
    const respondWith = ({ created, replaced, unchanged, taken }: Counts): Response => {
      const skipped = onConflict === 'skip' ? taken : 0;
      const counts = { created, replaced, unchanged, skipped, rejected: rejects.count };
      const result = { dryRun: isDryRun, ...counts, rejectedRows: rejects.rows, ignored: ignored.names() };
      return respond([Buffer.from(JSON.stringify(result))], { 'content-type': 'application/json' });
    };

    using spool = createRequestSpool<readonly CheckedRow[]>(spoolFolder);
    limitTime(request, receiveSecondsMax);
    try {
      await checkRows(limitRows(format.readRows(body.pieces(), ignored.add)), {
        keepsText: false,
        reject: rejects.add,
        spool,
      });
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      await body.drain();
      throw new AppError(body.bytes() === 0 ? emptyBody : unreadableFile(error.message));
    }
    if (body.bytes() === 0) throw new AppError(emptyBody);
    throwIfRejected(invalidRows);

    // The spool must stay open until the end.
    return await inTurn(() =>
      inTransaction(plants, isDryRun, async (put) => {
        const rows = untilAborted(spool.read(), request.signal);
        const counts = await putRows(rows, { put, onConflict, reject: rejects.add });
        throwIfRejected(takenRows);
        // Before the commit, since there may be no memory for a large response.
        return respondWith(counts);
      }),
    );
  };

  return async (request: ImportRequest): Promise<Response> => {
    if (inProgress === importsMax) throw new AppError(tooManyImports);
    inProgress += 1;
    try {
      return await importFile(request);
    } finally {
      inProgress -= 1;
      // The time limit of its response is that of any other.
      limitTime(request.request, requestSecondsMax);
    }
  };
};

/** The rows in batches of at most `batchRows`. Throws AppError `body_too_large` when there are too many. */
async function* limitRows(batches: AsyncIterable<readonly FileRow[]>): AsyncGenerator<readonly FileRow[]> {
  let count = 0;
  for await (const rows of batches) {
    count += rows.length;
    if (count > importRowsMax) throw new AppError(tooManyRows);
    for (let at = 0; at < rows.length; at += batchRows) yield rows.slice(at, at + batchRows);
  }
}

/** The items. Throws when the client has disconnected, so that the transaction is rolled back. */
function* untilAborted<Item>(items: Iterable<Item>, signal: AbortSignal): Generator<Item> {
  for (const item of items) {
    if (signal.aborted) throw new AppError(brokenBody);
    yield item;
  }
}

/** The result of `fill`, whose transaction is committed, or rolled back if it is a dry run. */
const inTransaction = async <Result>(
  plants: ImporterOptions['plants'],
  isDryRun: boolean,
  fill: Parameters<typeof plants.putAll<Result>>[0],
): Promise<Result> => {
  if (!isDryRun) return plants.putAll(fill);
  let result: { readonly value: Result } | undefined;
  try {
    await plants.putAll(async (put) => {
      result = { value: await fill(put) };
      throw new DryRunEnded();
    });
  } catch (error) {
    if (!(error instanceof DryRunEnded)) throw error;
  }
  if (!result) throw new Error('A dry run has no result.');
  return result.value;
};

/** Rolls a transaction back. */
class DryRunEnded extends Error {
  override readonly name = 'DryRunEnded';
}

const createRejects = () => {
  const rows: { readonly line: number; readonly lines: number; readonly message: string }[] = [];
  let count = 0;
  return {
    rows,
    get count() {
      return count;
    },
    add: ({ line, lines }: RejectedRow, message: string): void => {
      count += 1;
      if (rows.length < rejectedRowsMax) rows.push({ line, lines, message });
    },
  };
};

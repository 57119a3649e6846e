/**
 * Exports for clients. The snapshot is read as fast as the disk permits, into a temporary file that has no name, and the client reads from there at
 * its own pace. So no transaction lasts longer for a slow client, and memory does not grow with the number of plants.
 */
import { AppError } from '../../base/app-error.ts';
import { type Log, logFailure } from '../../log.ts';
import type { PlantRecord } from '../plant.ts';
import type { PlantStore } from '../store.ts';
import { exportTooLarge, tooManyExports } from './failures.ts';
import type { PlantFormat } from './format.ts';
import { createRequestSpool } from './request-spool.ts';

export interface ExporterOptions {
  readonly plants: Pick<PlantStore, 'scan'>;
  /** The folder for temporary files. */
  readonly spoolFolder: string;
  readonly log: Log;
}

export interface ExportRequest {
  readonly format: PlantFormat;
  readonly fits: (plant: PlantRecord) => boolean;
}

/** @limit Requests | Exports in progress of a process | 503 */
export const exportsMax = 8;

/** @limit Requests | Temporary file of an export | the response is cut off */
const defaultFileBytesMax = 4 * 1024 * 1024 * 1024;

/** Returns a function that begins an export, and resolves to its text once its first plants were read. */
export const createExporter = ({ plants, spoolFolder, log }: ExporterOptions, fileBytesMax = defaultFileBytesMax) => {
  let inProgress = 0;

  return async ({ format, fits }: ExportRequest): Promise<ReadableStream<Uint8Array>> => {
    if (inProgress === exportsMax) throw new AppError(tooManyExports);
    inProgress += 1;
    const spool = createRequestSpool<Uint8Array>(spoolFolder);
    const pieces = spool.read();
    let [bytes, unread] = [0, 0];
    let [isComplete, hasEnded] = [false, false];
    let failure: unknown;
    let change = Promise.withResolvers<void>();

    const add = (text: string): void => {
      const piece = Buffer.from(text);
      bytes += piece.length;
      if (bytes > fileBytesMax) throw new AppError(exportTooLarge);
      if (piece.length === 0) return;
      spool.add(piece);
      unread += 1;
    };

    const announce = (): void => {
      change.resolve();
      change = Promise.withResolvers();
    };

    const readSnapshot = async (): Promise<void> => {
      try {
        add(format.head);
        for await (const records of plants.scan()) {
          if (hasEnded) return;
          add(format.encode(records.filter(fits)));
          announce();
        }
      } catch (error) {
        failure = error;
      } finally {
        isComplete = true;
        announce();
      }
    };

    const end = (): void => {
      if (hasEnded) return;
      hasEnded = true;
      inProgress -= 1;
      spool[Symbol.dispose]();
    };

    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      while (unread === 0 && !isComplete) await change.promise;
      if (hasEnded) return;
      try {
        if (unread > 0) {
          unread -= 1;
          return controller.enqueue(pieces.next().value ?? new Uint8Array());
        }
        if (failure !== undefined) throw failure;
        end();
        controller.close();
      } catch (error) {
        end();
        logFailure(log, error);
        controller.error(error);
      }
    };

    const { promise: begun } = change;
    void readSnapshot();
    await begun;
    if (failure !== undefined) {
      end();
      throw failure;
    }
    return new ReadableStream({ pull, cancel: end }, { highWaterMark: 0 });
  };
};

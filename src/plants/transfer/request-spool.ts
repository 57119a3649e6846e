import { AppError, unwritable } from '../../base/app-error.ts';
import { createSpool, type Spool } from '../../base/spool.ts';

/** The spool of a request. Throws AppError `unavailable` when its temporary file cannot be written or read, as on a full disk. */
export const createRequestSpool = <Value>(folder: string): Spool<Value> => {
  const spool = createSpool<Value>(folder);
  return {
    ...spool,
    add: (value) => {
      try {
        spool.add(value);
      } catch (cause) {
        throw new AppError(unwritable, { cause });
      }
    },
    *read() {
      try {
        yield* spool.read();
      } catch (cause) {
        throw new AppError(unwritable, { cause });
      }
    },
  };
};

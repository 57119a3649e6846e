import { closeSync, openSync, readSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { withFile } from './error.ts';
import { createDraft } from './temporary-file.ts';

export type Spool<Value> = ReturnType<typeof createSpool<Value>>;

/**
 * Values that wait in a temporary file, so that memory does not grow with their number. They are copied as by `structuredClone`. Must be
 * disposed of. Throws OperatorError when the file cannot be written or read.
 */
export const createSpool = <Value>(folder: string) => {
  const lengths: number[] = [];
  let file: ReturnType<typeof createFile> | undefined;

  return {
    add: (value: Value): void => {
      file ??= createFile(folder);
      const bytes = serialize(value);
      try {
        writeFileSync(file.descriptor, bytes);
      } catch (error) {
        throw withFile('write', file.path, error);
      }
      lengths.push(bytes.length);
    },
    *read(): Generator<Value> {
      if (!file) return;
      let position = 0;
      for (const length of lengths) {
        const bytes = Buffer.allocUnsafe(length);
        readSync(file.descriptor, bytes, 0, length, position);
        position += length;
        yield deserialize(bytes);
      }
    },
    [Symbol.dispose]: (): void => {
      if (file) closeSync(file.descriptor);
    },
  };
};

/** An empty file. It has no name once it is open, so it never outlives the process. */
const createFile = (folder: string) => {
  const path = join(folder, 'plant-store-spool');
  try {
    using draft = createDraft(path);
    return { path, descriptor: openSync(draft.path, 'r+') };
  } catch (error) {
    throw withFile('write', path, error);
  }
};

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A fresh folder that is removed with the test: `using folder = temporaryFolder()`. */
export const temporaryFolder = () => {
  const path = mkdtempSync(join(tmpdir(), 'plant-store-'));
  return {
    path,
    file: (name: string) => join(path, name),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
};

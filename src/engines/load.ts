/** Loads an engine other than SQLite. Only this file imports one. Without the engine's folder, the program works, but rejects its URLs. */
import { codeOf } from '../base/error.ts';
import { isPostgresUrl } from '../config/setting-values.ts';
import type { Engine } from '../store/engine.ts';

/** The engine for this value of `DATABASE_URL`. Undefined for SQLite, and in a program without the engine. */
export const loadEngine = async (database: string): Promise<Engine | undefined> => {
  if (!isPostgresUrl(database)) return undefined;
  try {
    return (await import('../postgres/engine.ts')).engine;
  } catch (error) {
    // Not for a file or a package that the engine itself lacks.
    if (codeOf(error) === 'ERR_MODULE_NOT_FOUND' && isMissing.test(`${error}`)) return undefined;
    throw error;
  }
};

const isMissing = /(?:module|found) ['"]\S*\/postgres\/engine\.ts['"]/;

import { type Config, type Flags, readConfig } from '../../../src/config/config.ts';
import { loadEngine } from '../../../src/engines/load.ts';

/** The default settings, with this database. */
export const configOf = async (database: string, flags: Flags = {}): Promise<Config> =>
  readConfig({ ...flags, database }, {}, await loadEngine(database));

import { type Config, type Environment, type Flags, type OnRead, readConfig } from '../config/config.ts';
import { settings } from '../config/settings.ts';
import { loadEngine } from '../engines/load.ts';

/** Loads the engine of the database, and reads the settings. Rejects as `readConfig` throws. */
export const loadConfig = async (flags: Flags, env: Environment, onRead?: OnRead): Promise<Config> => {
  const text = flags.demo ? undefined : (flags.database ?? env[settings.database.name]);
  return readConfig(flags, env, await loadEngine(text ?? ''), onRead);
};

import { runtime } from '#runtime';
// Node reads JSON only as a whole.
import manifest from '../../package.json' with { type: 'json' };
import type { Config } from '../config/config.ts';
import type { Build } from '../telemetry/metrics.ts';

export const { version } = manifest;

export const buildOf = ({ database: { engine } }: Config): Build => ({
  version,
  runtime: runtime.name,
  runtime_version: runtime.version,
  engine,
});

import { destination, type Logger, pino, stdTimeFunctions } from 'pino';
import type { LogLevel } from './config.ts';

export type Log = Logger;

/**
 * JSON lines on stderr: `time` in RFC 3339, `level` as a word. Lines wait in memory while the last ones are written, so a
 * slow reader of stderr does not hold up a request; what waits is written when the process exits.
 *
 * Nothing hands this log a token, a body or a raw path. Should a credential ever be handed to it by name, it is blotted out.
 */
export const createLog = (level: LogLevel): Log =>
  pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: ['authorization', 'token', 'secret', 'body'],
    },
    destination({ dest: 2, sync: false }),
  );

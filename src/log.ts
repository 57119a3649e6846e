import { type Logger, pino, stdTimeFunctions } from 'pino';
import type { LogLevel } from './config.ts';
import { AppError } from './domain/error.ts';

export interface Log extends Logger {
  /** Writes the line of a request, at the level `info`, without pino, which would cost more than the rest of a read. */
  request(line: RequestLine): void;
}

/** What the log says of a request: nothing that the caller has written. */
export interface RequestLine {
  readonly requestId: string;
  readonly method: string;
  /** As it is written in the route table; null when there is none. */
  readonly route: string | null;
  readonly status: number;
  readonly durationMs: number;
}

/**
 * JSON lines on stderr: `time` in RFC 3339, `level` as a word. Nothing hands this log a token, a body or a raw path; pino
 * redacts members that are named like credentials all the same.
 *
 * A log that nobody reads never stops the service: lines wait in memory for a slow reader, those past a bound are lost, and
 * an error of stderr, such as a full disk or a terminal that has gone, loses lines and nothing else.
 */
export const createLog = (level: LogLevel): Log => {
  const write = createWriter();
  const log = pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: ['authorization', 'token', 'secret', 'body'],
    },
    { write },
  );
  const request = (line: RequestLine): void => {
    if (!log.isLevelEnabled('info')) return;
    write(`${JSON.stringify({ level: 'info', time: new Date().toISOString(), ...line, msg: 'request' })}\n`);
  };
  return Object.assign(log, { request });
};

/** Lines that come together are written together, since each write costs as much as a line. */
const createWriter = (): ((line: string) => void) => {
  let lines: string[] = [];
  let writtenLines = 0;
  const flush = (): void => {
    if (lines.length === 0) return;
    const { length } = lines;
    writtenLines += length;
    process.stderr.write(lines.join(''), () => {
      writtenLines -= length;
    });
    lines = [];
  };
  if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {});
  let hasBegun = false;

  return (line) => {
    if (!hasBegun) process.on('exit', flush);
    hasBegun = true;
    if (lines.length + writtenLines >= waitingLinesMax) return;
    if (lines.push(line) === 1) setImmediate(flush);
  };
};

/**
 * Logs a failure of the service: an AppError by its sentence and with its cause, anything else as the defect that it is.
 * `details` are members of the line.
 */
export const logFailure = (log: Log, error: unknown, details: object = {}): void => {
  const isKnown = error instanceof AppError;
  log.error({ ...details, err: isKnown ? error.cause : error }, isKnown ? error.message : 'defect');
};

/** Some two megabytes. */
const waitingLinesMax = 10_000;

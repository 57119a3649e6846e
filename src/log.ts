import { pino, stdTimeFunctions } from 'pino';
import { runtime } from '#runtime';
import { AppError } from './base/app-error.ts';
import { reportOf } from './base/error-report.ts';
import { escapeControls } from './base/printable.ts';

export type Log = ReturnType<typeof createLog>;

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

interface DeliveryLine {
  readonly webhookId: string;
  readonly attemptsInRound: number;
  readonly nextAttemptAt?: string;
}

interface AttemptLine {
  readonly status?: number;
  readonly failure?: string;
  readonly durationMs: number;
}

/** The members of the log line of a request. The only text from the client is the id of the request, if it is valid. */
interface RequestLine {
  readonly requestId: string;
  readonly traceId: string | undefined;
  readonly method: string;
  readonly route: string | null;
  readonly status: number;
  readonly durationMs: number;
  readonly sender: Sender | undefined;
}

/** Each member is omitted if it is unknown. */
export interface Sender {
  readonly tokenId: string | undefined;
  /** The address of the client. */
  readonly client: string | undefined;
}

/**
 * JSON lines on stderr: `time` in RFC 3339, `level` as a word. The service never logs a token, a body, a raw path or the text of a
 * database's error: `err` is always an ErrorReport. In addition, pino redacts members with names of credentials.
 *
 * The log never stops the service: lines wait in memory for a slow reader. Lines beyond a limit are lost, and so are lines that
 * cannot be written to stderr, such as on a full disk.
 *
 * `format` makes of each line the text to write, with its line end. Without it, that is the line.
 */
export const createLog = (level: LogLevel, format?: (line: string) => string) => {
  const writeText = createWriter();
  const write = format ? (line: string) => writeText(format(line)) : writeText;
  const log = pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: reportOf },
      redact: ['authorization', 'token', 'secret', 'body'],
    },
    // JSON leaves some control characters as they are, and a cause may have text of another server.
    { write: (line: string) => write(`${escapeControls(line.trimEnd())}\n`) },
  );
  const timeNow = createTimeText();
  /**
   * Writes the line of a request at the level `info`. pino would cost more than the rest of a read, and `JSON.stringify` more than the
   * rest of the line. No member has a character that JSON must escape: a method is a token (RFC 9110 §5.6.2).
   */
  const request = ({ requestId, traceId, method, route, status, durationMs, sender }: RequestLine): void => {
    if (!log.isLevelEnabled('info')) return;
    const trace = traceId === undefined ? '' : `"traceId":"${traceId}",`;
    const path = route === null ? null : `"${route}"`;
    const token = sender?.tokenId === undefined ? '' : `"tokenId":"${sender.tokenId}",`;
    const client = sender?.client === undefined ? '' : `"client":"${sender.client}",`;
    write(
      `{"level":"info","time":"${timeNow()}","requestId":"${requestId}",${trace}"method":"${method}","route":${path},"status":${status},"durationMs":${durationMs},${token}${client}"msg":"request"}\n`,
    );
  };
  /**
   * Writes the line of an attempt at the level `info`, as `request` does: no member has a character that JSON must escape. `after` is the
   * delivery after the attempt.
   */
  const delivery = (after: DeliveryLine, { status, failure, durationMs }: AttemptLine, deliveryId: string): void => {
    if (!log.isLevelEnabled('info')) return;
    const { webhookId, attemptsInRound, nextAttemptAt } = after;
    const result = status === undefined ? `"failure":"${failure}"` : `"status":${status}`;
    const next = nextAttemptAt === undefined ? '' : `"nextAttemptAt":"${nextAttemptAt}",`;
    write(
      `{"level":"info","time":"${timeNow()}","webhookId":"${webhookId}","deliveryId":"${deliveryId}","try":${attemptsInRound},${result},"durationMs":${durationMs},${next}"msg":"delivery"}\n`,
    );
  };
  return Object.assign(log, { request, delivery });
};

/** The time in RFC 3339. It is cached, since many lines have the same millisecond. */
const createTimeText = (): (() => string) => {
  let latestMs = 0;
  let text = '';
  return () => {
    const nowMs = Date.now();
    if (nowMs !== latestMs) text = new Date(nowMs).toISOString();
    latestMs = nowMs;
    return text;
  };
};

/** The lines of one turn of the event loop are written together, since a write costs as much as a line. */
const createWriter = (): ((line: string) => void) => {
  let lines: string[] = [];
  let writtenLines = 0;
  const flush = (): void => {
    if (lines.length === 0) return;
    const { length } = lines;
    writtenLines += length;
    runtime.writeToStderr(lines.join(''), () => {
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
 * Logs an AppError with its message and its cause, and any other error as a defect. `details` are further members of the line. The level
 * `error` means that a person must act: `unavailable` is a warning, since nothing was lost and the service recovers without a restart.
 */
export const logFailure = (log: Log, error: unknown, details: object = {}): void => {
  if (!(error instanceof AppError)) log.error({ ...details, err: error }, 'defect');
  else log[error.code === 'unavailable' ? 'warn' : 'error']({ ...details, err: error.cause }, error.message);
};

/**
 * About two megabytes.
 *
 * @limit Processes | Log lines that wait for stderr | further lines are lost
 */
const waitingLinesMax = 10_000;

/** The log of a server: JSON lines, but lines for people on a terminal in development. */
import { styleText } from 'node:util';
import { escapeAllButLineEnds, escapeControls } from '../base/printable.ts';
import type { Config } from '../config/config.ts';
import { createLog, type Log } from '../log.ts';
import { isTerminal } from './descriptor.ts';

export const openLog = async (
  { logLevel, isDevelopment }: Pick<Config, 'logLevel' | 'isDevelopment'>,
  stderr: number,
): Promise<Log> => createLog(logLevel, isDevelopment && isTerminal(stderr) ? await loadFormat() : undefined);

/** Undefined where pino-pretty is not installed. The binary and the npm package do not contain it. */
const loadFormat = async (): Promise<((line: string) => string) | undefined> => {
  try {
    const { prettyFactory } = await import('pino-pretty');
    const colorize = styleText('red', '-', { stream: process.stderr }) !== '-';
    const format = prettyFactory({ colorize, singleLine: true, translateTime: 'SYS:HH:MM:ss.l' });
    return (line) => format(readLine(line));
  } catch {
    return undefined;
  }
};

/** The members of a line. A value with control characters, which pino-pretty would print, has them as JSON escapes them. */
const readLine = (line: string): object => {
  const members = JSON.parse(line, (key, value) => {
    if (typeof value !== 'string') return value;
    return key === 'stack' ? escapeAllButLineEnds(value) : escapeControls(value);
  });
  const { msg, method, route, status, durationMs, requestId, level, time, tokenId, client } = members;
  return msg === 'request'
    ? {
        level,
        time,
        msg: `${method} ${route ?? '(no route)'} ${status} in ${durationMs} ms`,
        requestId,
        tokenId,
        client,
      }
    : members;
};

/** The log has one line for each request. */
import { untilOr } from '../../../tests/support/until.ts';
import { expect, type SentRequest } from './client.ts';

/** Waits until the lines have been written, for at most two seconds. */
export const checkLog = async (path: string, sent: readonly SentRequest[]): Promise<void> => {
  const readLines = async (): Promise<Map<unknown, object[]>> => {
    const text = await Bun.file(path).text();
    const lines: { requestId?: unknown }[] = text
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line));
    return Map.groupBy(lines, ({ requestId }) => requestId);
  };
  let lines = await readLines();
  const isWritten = async (): Promise<boolean> => {
    lines = await readLines();
    return sent.every(({ requestId }) => lines.has(requestId));
  };
  await untilOr(isWritten, 2000);
  for (const request of sent) {
    const found = lines.get(request.requestId) ?? [];
    const [line] = found;
    const isRequest = found.length === 1 && line !== undefined && Bun.deepEquals({ ...line, ...request }, line);
    expect(`one line of the log for ${JSON.stringify(request)}`, isRequest, JSON.stringify(found));
    const { level, time, durationMs, msg }: { level?: unknown; time?: unknown; durationMs?: unknown; msg?: unknown } =
      line ?? {};
    const isComplete = level !== undefined && time !== undefined && typeof durationMs === 'number' && msg !== undefined;
    expect('level, time, durationMs and msg of a line of the log', isComplete, JSON.stringify(line));
  }
};

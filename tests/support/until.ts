import { setTimeout } from 'node:timers/promises';

/** Waits until the condition is true, or until the test times out. */
export const until = async (isTrue: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isTrue())) await setTimeout(20);
};

/** Waits until the system clock shows a later time than now. */
export const nextMillisecond = async (): Promise<void> => {
  for (const beganAtMs = Date.now(); Date.now() <= beganAtMs; ) await setTimeout(1);
};

/** Waits until the condition is true, for at most this time. Resolves to whether it is. */
export const untilOr = async (isTrue: () => boolean | Promise<boolean>, msMax: number): Promise<boolean> => {
  const endsAtMs = performance.now() + msMax;
  while (performance.now() < endsAtMs) {
    if (await isTrue()) return true;
    await setTimeout(100);
  }
  return false;
};

/** Repeats the assertions until they pass, for at most a minute. Then throws what the last ones threw. */
export const eventually = async (assert: () => Promise<void>): Promise<void> => {
  const endsAtMs = performance.now() + 60_000;
  for (; ; await setTimeout(50)) {
    try {
      return await assert();
    } catch (error) {
      if (performance.now() >= endsAtMs) throw error;
    }
  }
};

/** Reads until the text has arrived, and returns everything read. Throws if the stream ends before. */
export const readUntil = async (
  reader: { read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }> },
  text: string,
): Promise<string> => {
  const decoder = new TextDecoder();
  let shown = '';
  while (!shown.includes(text)) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`ended before it said ${text}: ${shown}`);
    shown += decoder.decode(value, { stream: true });
  }
  return shown;
};

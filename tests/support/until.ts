/** Waits until it holds; a test that waits in vain runs into its own time limit. */
export const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await holds())) await Bun.sleep(2);
};

/** Waits until it holds, for at most so long. Resolves to whether it does. */
export const untilOr = async (holds: () => boolean | Promise<boolean>, msMax: number): Promise<boolean> => {
  const endsAtMs = performance.now() + msMax;
  while (performance.now() < endsAtMs) {
    if (await holds()) return true;
    await Bun.sleep(100);
  }
  return false;
};

/** Reads on until the text has come, and returns all that was read. Throws when the stream ends before. */
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

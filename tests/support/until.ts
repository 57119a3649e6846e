/** Waits until it holds; a test that waits in vain runs into its own time limit. */
export const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await holds())) await Bun.sleep(2);
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

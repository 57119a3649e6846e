/** The text in UTF-8, in chunks of so many bytes. */
export async function* chunksOf(text: string, chunkBytes: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

/** Creates plants at a steady rate, and does not wait for responses. */
export interface PacedWrites {
  /** When each create was acknowledged, by the id of its plant, in milliseconds since 1970. */
  readonly acknowledgedAtMs: ReadonlyMap<number, number>;
  /** How many did not get 200. */
  readonly failed: number;
  readonly durationMs: number;
}

interface PacedOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly writes: number;
  readonly perSecond: number;
  readonly firstId: number;
}

/** Resolves when all have a response. */
export const writePaced = async ({ url, headers, writes, perSecond, firstId }: PacedOptions): Promise<PacedWrites> => {
  const acknowledgedAtMs = new Map<number, number>();
  let failed = 0;
  const create = async (id: number): Promise<void> => {
    const body = `{"id":${id},"name":"n${id}"}`;
    const response = await fetch(`${url}/plants`, { method: 'POST', headers, body }).catch(() => undefined);
    if (response?.status === 200) acknowledgedAtMs.set(id, performance.timeOrigin + performance.now());
    else failed += 1;
    await response?.arrayBuffer();
  };
  const startedAtMs = performance.now();
  const creates: Promise<void>[] = [];
  while (creates.length < writes) {
    const due = Math.min(writes, Math.ceil(((performance.now() - startedAtMs) / 1000) * perSecond));
    while (creates.length < due) creates.push(create(firstId + creates.length));
    await Bun.sleep(5);
  }
  await Promise.all(creates);
  return { acknowledgedAtMs, failed, durationMs: performance.now() - startedAtMs };
};

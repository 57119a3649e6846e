/** Receivers of webhooks, and the number of their responses in each class of status. */
import { createReceiver } from '../../support/webhooks/receiver.ts';

/** Use with `using`. */
export interface WebhookAnswers extends Disposable {
  /** The URLs of a receiver that accepts everything, of one that refuses everything until it is repaired, and of one that responds with 410. */
  readonly urls: readonly string[];
  mend(): void;
  /** By class, such as `2xx`. */
  counts(): Readonly<Record<string, number>>;
}

export const createWebhookAnswers = (): WebhookAnswers => {
  const counts = new Map<string, number>();
  let isBroken = true;
  const answer = (status: number): Response => {
    const name = `${Math.floor(status / 100)}xx`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return new Response(null, { status });
  };
  const receivers = [() => 204, () => (isBroken ? 500 : 204), () => 410].map((statusOf) =>
    createReceiver(() => answer(statusOf())),
  );
  return {
    urls: receivers.map(({ url }) => url),
    mend: () => {
      isBroken = false;
    },
    counts: () => Object.fromEntries(counts),
    [Symbol.dispose]: () => {
      for (const receiver of receivers) receiver[Symbol.dispose]();
    },
  };
};

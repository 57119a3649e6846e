/** How the inbox answers a message, so that its webhook succeeds, tries again or is disabled. */
import { setTimeout as sleep } from 'node:timers/promises';
import { attemptTimeoutMs } from '../../deliveries/delivery.ts';

/** `slow` takes longer than the sender waits. */
export const answers = ['204', '500', '410', 'slow'] as const;

export type Answer = (typeof answers)[number];

export const isAnswer = (text: string): text is Answer => answers.some((answer) => answer === text);

/** How much longer than the sender waits. */
const slowMs = attemptTimeoutMs + 5000;

/** A slow answer ends early when the signal is aborted. It does not reject. */
export const respond = async (answer: Answer, signal: AbortSignal): Promise<Response> => {
  if (answer === 'slow') await sleep(slowMs, undefined, { signal, ref: false }).catch(() => {});
  const status = answer === 'slow' ? 204 : Number(answer);
  return new Response(texts[answer] ?? null, { status });
};

const texts: Partial<Record<Answer, string>> = {
  500: 'The inbox is set to answer 500.',
  410: 'The inbox is set to answer 410.',
};

import { asksToWait, excerptLengthMax } from '../domain/delivery.ts';

/**
 * How much of the body of a response is read, and for how long. After a complete body the connection can be reused.
 *
 * @limit Webhooks | Size of a response that is read | The rest is not read.
 */
export const answerBytesMax = 16 * 1024;
/** @limit Webhooks | Time in which a response is read | The rest is not read. */
export const answerMsMax = 1000;

/** The beginning of the body, as text. An error or a timeout only ends the read: the status is sufficient. */
export const readExcerpt = async ({ body }: Response): Promise<string> => {
  if (!body) return '';
  const reader = body.getReader();
  const cancel = (): Promise<void> => reader.cancel().catch(() => {});
  const timer = setTimeout(cancel, answerMsMax);
  const chunks: Uint8Array[] = [];
  let lengthBytes = 0;
  try {
    while (lengthBytes <= answerBytesMax) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      lengthBytes += value.length;
    }
  } catch {}
  clearTimeout(timer);
  await cancel();
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, answerBytesMax), { stream: true });
  return [...text.slice(0, 2 * excerptLengthMax)].slice(0, excerptLengthMax).join('');
};

/** The time to wait from `Retry-After`, which has seconds or a date (RFC 9110 §10.2.3). Absent if the receiver does not ask to wait. */
export const readRetryAfterMs = ({ status, headers }: Response): number | undefined => {
  const value = headers.get('retry-after')?.trim();
  if (value === undefined || !asksToWait(status)) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = /^[A-Z][a-z]{2}/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
};

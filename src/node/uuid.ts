import { randomUUID } from 'node:crypto';

/** `Runtime.timeOrderedUuid` for Node and Deno, which have UUIDs of version 4. */
export const timeOrderedUuid = (): string => {
  const nowMs = Date.now();
  if (nowMs !== lastMs) {
    const time = nowMs.toString(16).padStart(12, '0');
    prefix = `${time.slice(0, 8)}-${time.slice(8)}-7`;
    lastMs = nowMs;
  }
  // Behind the digit of its version, a UUID of version 4 has the variant and random bits at the same places.
  return prefix + randomUUID().slice(15);
};

/** The formatting of the time would take longer than all the rest. */
let lastMs = -1;
let prefix = '';

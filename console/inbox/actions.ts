/** Requests of the page: to the inbox without a token, and to the API with the one of the form. Paths are relative, for a proxy with a prefix. */
import { isToken } from '../api/pasted-token.ts';
import { createPatience } from '../api/patience.ts';

/** It waits if the service limits the rate of requests. */
const patientFetch = createPatience({
  send: (input, init) => fetch(input, init),
  pause: (timeMs) => new Promise((resolve) => setTimeout(resolve, timeMs)),
  nowMs: () => Date.now(),
  onWait: () => {},
});

export const setAnswer = (name: string, answer: string): Promise<Response> =>
  fetch(`inbox/${name}?answer=${answer}`, { method: 'PUT' });

export const clearBox = (name: string): Promise<Response> => fetch(`inbox/${name}`, { method: 'DELETE' });

export interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly enabled: boolean;
  readonly disabledReason?: string;
}

interface Delivery {
  readonly state: string;
  readonly nextAttemptAt?: string;
}

/** Rejects with the message of the API if it refuses the request. */
const call = async (token: string, method: string, path: string, body?: object): Promise<Response> => {
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
  if (!isToken(token)) throw new Error('The token is not valid: it has other characters than a token.');
  const response = await patientFetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (response.ok) return response;
  const { message } = await response.json();
  throw new Error(`${response.status}: ${message}`);
};

/** Each resolves to what was done, as a sentence. */
export const addWebhook = async (token: string, url: string): Promise<string> => {
  const { id }: Webhook = await (await call(token, 'POST', 'webhooks', { url })).json();
  return `The webhook ${id} sends every change of a plant here.`;
};

export const createPlant = async (token: string): Promise<string> => {
  const id = Date.now();
  await call(token, 'POST', 'plants', { id, name: 'Monstera', tag: 'tropical' });
  return `The plant ${id} was created.`;
};

/** A test also enables a disabled webhook. */
export const sendTest = async (token: string, url: string): Promise<string> => {
  const webhook = (await webhooksOf(token)).findLast((one) => one.url === url);
  if (!webhook) throw new Error('No webhook has this URL yet.');
  await call(token, 'POST', `webhooks/${webhook.id}/test`);
  return `A test message of ${webhook.id} is on its way.`;
};

export const webhooksOf = async (token: string): Promise<readonly Webhook[]> =>
  (await call(token, 'GET', 'webhooks')).json();

/** The state of a webhook in words: whether it is enabled, and when it tries again. */
export const stateOf = async (token: string, { id, enabled, disabledReason }: Webhook): Promise<string> => {
  if (!enabled) return `${id}: disabled (${disabledReason}). A test message enables it again.`;
  const deliveries: readonly Delivery[] = await (await call(token, 'GET', `webhooks/${id}/deliveries`)).json();
  const next = deliveries.flatMap(({ state, nextAttemptAt }) =>
    state === 'pending' && nextAttemptAt ? [nextAttemptAt] : [],
  );
  const [first] = next.sort();
  return first === undefined
    ? `${id}: enabled`
    : `${id}: enabled; ${next.length} waiting, the next attempt is at ${new Date(first).toLocaleTimeString(undefined, { hour12: false })}`;
};

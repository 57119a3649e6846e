/** What the inbox sends to the page. `messages.ts` and `verdict.ts` of the service have the same types. */

export interface Message {
  readonly sequence: number;
  readonly name: string;
  readonly receivedAt: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  readonly verdict: { readonly webhookId?: string; readonly reason?: string };
  readonly answer: string;
}

export interface Change {
  readonly names: readonly { readonly name: string; readonly answer: string }[];
  readonly kept: readonly number[];
  readonly messages: readonly Message[];
}

/** Calls `onChange` for each change, until the page is closed. After a new connection, the first change has all messages. */
export const follow = (
  onChange: (change: Change, isFirst: boolean) => void,
  onState: (isOpen: boolean) => void,
): void => {
  const source = new EventSource('inbox');
  let isFirst = true;
  source.addEventListener('open', () => {
    isFirst = true;
    onState(true);
  });
  source.addEventListener('error', () => {
    onState(false);
    // Such as a 503: the browser does not try again.
    if (source.readyState !== EventSource.CLOSED) return;
    setTimeout(() => follow(onChange, onState), retryMs);
  });
  source.addEventListener('message', ({ data }) => {
    onChange(JSON.parse(data), isFirst);
    isFirst = false;
  });
};

const retryMs = 3000;

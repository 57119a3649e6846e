/** One webhook: its state, its queue, its latest deliveries, and what can be done with it. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import { expect } from '../api/client.ts';
import { Notice } from '../parts/notice.tsx';
import { useLoaded, useTask } from '../parts/task.ts';
import { Code, countOf, Text, Time } from '../parts/text.tsx';
import { useSession } from '../session.ts';
import { adviceFor } from './advice.ts';
import { Deliveries } from './deliveries.tsx';
import { conditionOf, getDeliveries, lastAttemptOf, type Webhook } from './webhook.ts';

interface CardProps {
  readonly webhook: Webhook;
  readonly lag: number | undefined;
  readonly round: number;
  readonly onChanged: () => unknown;
  readonly onSecret: (secret: string) => void;
}

export const Card = ({ webhook, lag, round, onChanged, onSecret }: CardProps) => {
  const { api, can } = useSession();
  const { isBusy, problem, run } = useTask();
  const [isDeleting, setDeleting] = useState(false);
  const { id, url, events, description } = webhook;
  const load = useCallback(() => getDeliveries(api, id), [api, id]);
  const { value: deliveries = [], problem: unread, reload } = useLoaded(load);
  useEffect(() => void (round > 0 && reload()), [round]);

  const last = conditionOf(webhook) === 'ok' ? undefined : lastAttemptOf(deliveries);
  const advice = last && adviceFor(last, url);

  const own = api.webhooks({ webhookId: id });
  const act = (action: () => Promise<unknown>): Promise<void> =>
    run(async () => {
      await action();
      onChanged();
    });
  const rotate = async (): Promise<void> => onSecret((await expect(own.rotate.post())).data.secret);
  return (
    <article class="card" aria-label={`Webhook ${url}`}>
      <div class="head">
        <h3>
          <Code>{url}</Code>
        </h3>
        <State webhook={webhook} />
      </div>
      <p class="quiet">
        {description !== undefined && (
          <>
            <Text>{description}</Text>.{' '}
          </>
        )}
        <Code>{id}</Code>. Gets {events.join(', ')}. <Queue lag={lag} waiting={deliveries.filter(isPending).length} />
      </p>
      {can('webhooks:write') && (
        <p class="actions">
          <button type="button" disabled={isBusy} onClick={() => void act(() => expect(own.test.post()))}>
            Send a test
          </button>
          <button type="button" disabled={isBusy} onClick={() => void act(rotate)}>
            Rotate the secret
          </button>
          {isDeleting ? (
            <>
              <button
                type="button"
                class="danger"
                disabled={isBusy}
                onClick={() => void act(() => expect(own.delete()))}
              >
                Delete it with its deliveries
              </button>
              <button type="button" onClick={() => setDeleting(false)}>
                Keep it
              </button>
            </>
          ) : (
            <button type="button" onClick={() => setDeleting(true)}>
              Delete
            </button>
          )}
        </p>
      )}
      <Notice problem={problem ?? unread} />
      {advice !== undefined && (
        <p class="notice">
          <Text>{advice}</Text>
        </p>
      )}
      <Deliveries
        url={url}
        deliveries={deliveries}
        isWrong={conditionOf(webhook) !== 'ok'}
        isBusy={isBusy}
        onRedeliver={
          can('webhooks:write')
            ? (deliveryId) => void act(() => expect(own.deliveries({ deliveryId }).redeliver.post()))
            : undefined
        }
      />
    </article>
  );
};

const isPending = ({ state }: { readonly state: string }): boolean => state === 'pending';

const State = ({ webhook }: { readonly webhook: Webhook }) => {
  const { disabledAt, disabledReason, failingSince } = webhook;
  switch (conditionOf(webhook)) {
    case 'disabled':
      return (
        <p class="badge bad">
          Disabled
          {disabledAt && (
            <>
              {' '}
              at <Time at={disabledAt} />
            </>
          )}
          : {disabledReason === 'gone' ? 'the receiver responded with 410' : 'all attempts failed'}
        </p>
      );
    case 'failing':
      return (
        <p class="badge bad">
          Failing
          {failingSince && (
            <>
              {' '}
              since <Time at={failingSince} />
            </>
          )}
        </p>
      );
    default:
      return <p class="badge good">Enabled</p>;
  }
};

/** `lag` counts events that have not been sent, and `waiting` those whose next attempt is due or scheduled. */
const Queue = ({ lag, waiting }: { readonly lag: number | undefined; readonly waiting: number }) => (
  <>
    {lag !== undefined && `${countOf(lag, 'event')} behind the log. `}
    {waiting > 0 && <span class="bad">Waiting for another attempt: {countOf(waiting, 'message')}.</span>}
  </>
);

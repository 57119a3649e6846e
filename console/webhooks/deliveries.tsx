/** The latest deliveries of a webhook, each with its attempts. */
import { useEffect, useState } from 'preact/hooks';
import { Code, Text, Time } from '../parts/text.tsx';
import { adviceFor } from './advice.ts';
import { type Attempt, type Delivery, deliveriesShown } from './webhook.ts';

interface DeliveriesProps {
  /** Of the receiver. */
  readonly url: string;
  readonly deliveries: readonly Delivery[];
  /** Whether they open without the user. */
  readonly isWrong: boolean;
  readonly isBusy: boolean;
  /** Undefined if the token does not permit it. */
  readonly onRedeliver: ((deliveryId: string) => void) | undefined;
}

export const Deliveries = ({ url, deliveries, isWrong, isBusy, onRedeliver }: DeliveriesProps) => {
  const [isOpen, setOpen] = useState(isWrong);
  useEffect(() => {
    if (isWrong) setOpen(true);
  }, [isWrong]);
  if (deliveries.length === 0) return <p class="quiet">Nothing was delivered yet.</p>;
  const failed = deliveries.filter(({ state }) => state === 'failed').length;
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        The last {deliveries.length === deliveriesShown ? deliveriesShown : ''} deliveries
        {failed > 0 && <span class="bad">, {failed} failed</span>}
      </summary>
      <ul class="deliveries">
        {deliveries.map((delivery) => (
          <Item key={delivery.id} url={url} delivery={delivery} isBusy={isBusy} onRedeliver={onRedeliver} />
        ))}
      </ul>
    </details>
  );
};

interface ItemProps extends Pick<DeliveriesProps, 'isBusy' | 'onRedeliver'> {
  readonly delivery: Delivery;
  /** Of the receiver. Undefined if the webhook was deleted. */
  readonly url: string | undefined;
  /** Whether the list has several webhooks. */
  readonly isMixed?: boolean;
}

/** One delivery, as an item of a list. */
export const Item = ({ delivery, url, isMixed = false, isBusy, onRedeliver }: ItemProps) => (
  <li>
    <div class="head">
      <span class={`badge ${toneOf[delivery.state]}`}>{delivery.state}</span>
      <span>{delivery.type}</span>
      <Code>{delivery.id}</Code>
      {isMixed && (
        <span>
          to <Code>{url ?? 'a webhook that was deleted'}</Code>
        </span>
      )}
      {delivery.nextAttemptAt && (
        <span class="quiet">
          next attempt at <Time at={delivery.nextAttemptAt} />
        </span>
      )}
      {onRedeliver && (
        <div class="actions">
          <button
            type="button"
            disabled={isBusy}
            aria-label={`Redeliver ${delivery.id}`}
            onClick={() => onRedeliver(delivery.id)}
          >
            Redeliver
          </button>
        </div>
      )}
    </div>
    <ol class="attempts">
      {delivery.attempts.map((attempt) => (
        <li key={attempt.at}>
          <AttemptLine attempt={attempt} url={url ?? ''} />
        </li>
      ))}
    </ol>
  </li>
);

const toneOf: Readonly<Record<Delivery['state'], string>> = { delivered: 'good', pending: 'quiet', failed: 'bad' };

interface AttemptLineProps {
  readonly attempt: Attempt;
  readonly url: string;
}

const AttemptLine = ({ attempt, url }: AttemptLineProps) => {
  const { at, durationMs, status, failure, excerpt } = attempt;
  const advice = adviceFor(attempt, url);
  return (
    <>
      <Time at={at} />{' '}
      <strong class={status !== undefined && status < 300 ? 'good' : 'bad'}>
        {status ?? failure ?? 'no response'}
      </strong>{' '}
      <span class="quiet">in {durationMs} ms</span> {advice && <Text>{`${advice} `}</Text>}
      {excerpt && (
        <>
          It says: <Text>{excerpt}</Text>
        </>
      )}
    </>
  );
};

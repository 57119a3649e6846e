/** The newest failed deliveries of all webhooks: what an operator looks for first. */
import { useCallback, useEffect } from 'preact/hooks';
import { expect } from '../api/client.ts';
import { Notice } from '../parts/notice.tsx';
import { useLoaded, useTask } from '../parts/task.ts';
import { useSession } from '../session.ts';
import { Item } from './deliveries.tsx';
import { type Delivery, deliveriesShown, type Webhook } from './webhook.ts';

interface FailedProps {
  readonly webhooks: readonly Webhook[];
  readonly round: number;
  readonly onChanged: () => unknown;
}

export const Failed = ({ webhooks, round, onChanged }: FailedProps) => {
  const { api, can } = useSession();
  const { isBusy, problem, run } = useTask();
  const load = useCallback(async () => {
    const query = { state: 'failed', limit: deliveriesShown, count: true } as const;
    const { data, response } = await expect(api.deliveries.get({ query }));
    return { failed: data, total: response.headers.get('x-total-count') };
  }, [api]);
  const { value, problem: unread, reload } = useLoaded(load);
  useEffect(() => void (round > 0 && reload()), [round]);

  const redeliver = ({ id, webhookId }: Delivery) =>
    run(async () => {
      await expect(api.webhooks({ webhookId }).deliveries({ deliveryId: id }).redeliver.post());
      onChanged();
    });
  if (value?.failed.length === 0) return null;
  return (
    <section class="card" aria-label="Failed deliveries">
      <h3 class="bad">Failed deliveries: {value?.total}</h3>
      <Notice problem={problem ?? unread} />
      <ul class="deliveries">
        {value?.failed.map((delivery) => {
          const webhook = webhooks.find(({ id }) => id === delivery.webhookId);
          return (
            <Item
              key={`${delivery.webhookId} ${delivery.id}`}
              delivery={delivery}
              url={webhook?.url}
              isMixed
              isBusy={isBusy}
              onRedeliver={webhook && can('webhooks:write') ? () => void redeliver(delivery) : undefined}
            />
          );
        })}
      </ul>
    </section>
  );
};

import type { Api, Data } from '../api/api.ts';
import { expect } from '../api/client.ts';
import { getMetrics } from '../api/metrics.ts';

export type Webhook = Data<Api['webhooks']['get']>[number];
export type Delivery = Data<ReturnType<Api['webhooks']>['deliveries']['get']>[number];
export type Attempt = Delivery['attempts'][number];

export type Condition = 'disabled' | 'failing' | 'ok';

export const conditionOf = ({ enabled, failingSince }: Webhook): Condition => {
  if (!enabled) return 'disabled';
  return failingSince === undefined ? 'ok' : 'failing';
};

const order: readonly Condition[] = ['disabled', 'failing', 'ok'];

/** What is wrong comes first. */
export const byCondition = (webhooks: readonly Webhook[]): readonly Webhook[] =>
  webhooks.toSorted((a, b) => order.indexOf(conditionOf(a)) - order.indexOf(conditionOf(b)));

/** By the id of a webhook, the number of events that it has not been sent yet. Empty if the token may not read metrics. */
export type Lags = Readonly<Record<string, number>>;

export const getWebhooks = async (
  api: Api,
  canReadMetrics: boolean,
): Promise<{ readonly webhooks: readonly Webhook[]; readonly lags: Lags }> => {
  const [{ data: webhooks }, samples] = await Promise.all([
    expect(api.webhooks.get()),
    canReadMetrics ? getMetrics(api) : [],
  ]);
  const lags = samples
    .filter(({ name }) => name === 'plant_store_webhook_lag_events')
    .map(({ labels, value }) => [labels['webhook_id'], value]);
  return { webhooks: byCondition(webhooks), lags: Object.fromEntries(lags) };
};

/** The newest deliveries of a webhook. */
export const getDeliveries = async (api: Api, webhookId: string): Promise<readonly Delivery[]> =>
  (await expect(api.webhooks({ webhookId }).deliveries.get({ query: { limit: deliveriesShown } }))).data;

export const deliveriesShown = 20;

/** The latest attempt that failed. */
export const lastAttemptOf = (deliveries: readonly Delivery[]): Attempt | undefined =>
  deliveries
    .flatMap(({ attempts }) => attempts)
    .filter(({ status = 0 }) => status < 200 || status > 299)
    .toSorted((a, b) => a.at.localeCompare(b.at))
    .at(-1);

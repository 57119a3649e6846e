import { monsteraPictured } from '../events/sample.ts';
import { operation } from '../http/operation.ts';
import { respond } from '../http/responder.ts';
import { t } from '../http/schema.ts';
import type { Store } from '../store/store.ts';
import type { Metrics } from './metrics.ts';

/** The document has no version parameter, since tools compare only the type. */
const mediaType = 'text/plain';

interface Needs extends Pick<Store, 'events' | 'webhooks' | 'queued' | 'isDamaged'> {
  readonly metrics: Metrics;
}

export const metricLines = `# HELP plant_store_log_head Sequence of the newest event in the log, or 0 before the first.
# TYPE plant_store_log_head gauge
plant_store_log_head ${monsteraPictured.sequence}
`;

export const getMetrics = operation({
  route: 'GET /metrics',
  summary: 'Get metrics',
  description:
    'Returns the metrics of this process, and the state of the log and of the webhooks, in the Prometheus text format. The content type is `text/plain; version=0.0.4`. While the database is unavailable, there are no metrics, since the token cannot be checked.',
  externalDocs: {
    description: 'Prometheus text format',
    url: 'https://prometheus.io/docs/instrumenting/exposition_formats/',
  },
  scope: 'metrics:read',
  responses: {
    200: {
      description: 'The metrics.',
      headers: { 'Cache-Control': 'no-store' },
      schema: t.String({ description: 'Prometheus text format, version 0.0.4.' }),
      mediaType,
      examples: { lines: { summary: 'Some of the lines', value: metricLines } },
    },
  },
  handler: ({ metrics, ...store }: Needs) => {
    metrics.onScrape(async () => {
      try {
        await readStore(store, metrics);
      } catch (error) {
        // The metrics of the process show it.
        if (!store.isDamaged()) throw error;
      }
      metrics.databaseDamaged.set(store.isDamaged() ? 1 : 0);
    });
    return async () =>
      respond([Buffer.from(await metrics.scrape())], {
        'content-type': `${mediaType}; version=0.0.4`,
        'cache-control': 'no-store',
      });
  },
});

/** The state of the log and of the webhooks. Positions are read before the head, so that no position is after it. */
const readStore = async (
  { events, webhooks, queued }: Omit<Needs, 'metrics'>,
  { queuedWrites, logHead, logFirst, webhookLag, webhookEnabled, webhookFailing }: Metrics,
): Promise<void> => {
  const all = await webhooks.list();
  const [head, oldest] = await Promise.all([events.head(), events.read(0n, 1)]);
  const nowMs = Date.now();
  queuedWrites.set(queued());
  logHead.set(Number(head));
  logFirst.set(Number(oldest.events[0]?.sequence ?? 0));
  for (const gauge of [webhookLag, webhookEnabled, webhookFailing]) gauge.clear();
  for (const { id, position, disabled, failingSince } of all) {
    const failingMs = failingSince === undefined ? 0 : Math.max(0, nowMs - Date.parse(failingSince));
    webhookLag.set(Number(head - position), { webhook_id: id });
    webhookEnabled.set(disabled ? 0 : 1, { webhook_id: id });
    webhookFailing.set(failingMs / 1000, { webhook_id: id });
  }
};

/** docs/metrics.md, from the list of metrics. */
import { createMetrics } from '../../src/metrics.ts';
import { code, table } from './markdown.ts';

export const renderMetrics = (): string => `# Metrics

\`GET /metrics\` returns the metrics of one process in the Prometheus text format. [operations.md](operations.md#metrics) connects Prometheus
and Grafana, and [troubleshooting.md](troubleshooting.md#when-an-alert-fires) says what to do when an alert fires.

${table(
  ['metric', 'type', 'labels', 'meaning'],
  createMetrics().all.map(({ name, type, labels, help }) => [
    code(name),
    type,
    (type === 'summary' ? ['quantile'] : Object.keys(labels)).map(code).join(', '),
    help,
  ]),
)}

- No label has a value that a client controls, so the number of series is bounded: it depends only on the operations and the webhooks.
- Counters start at 0 with each start of the process; \`rate\` and \`increase\` allow for that.
- Several processes report the same value for a webhook or the log: use \`max\`.
- \`http_route\` is the path template of the document, such as \`/plants/{id}\`. It is absent for an unknown path.
- The \`outcome\` of a batch is \`committed\` or \`failed\`. Writes that arrive together share one commit, and the writes of the webhook sender count too.
- The \`outcome\` of an attempt is the class of the status, such as \`2xx\`, or the failure, such as \`timeout\`.
- The \`reason\` of a disconnect is \`slow\`, \`token\`, \`stopping\` or \`failed\`. For \`failed\`, the log has a line \`defect\`.
- The \`policy\` of a rate limit is \`token\` or \`address\`.
- Beyond the [limits](limits.md) of queued writes and of streams, requests get 503.
`;

/** docs/metrics.md, from the list of metrics. */
import { createMetrics } from '../../src/metrics.ts';
import { code, table } from './markdown.ts';

export const renderMetrics = (): string => `# Metrics

\`GET /metrics\` returns these metrics of one process in the Prometheus text format. [operations.md](operations.md#metrics) connects Prometheus and
Grafana, and [troubleshooting.md](troubleshooting.md#when-an-alert-fires) says what to do when an alert fires.

${table(
  ['metric', 'type and labels', 'meaning'],
  createMetrics().all.map(({ name, type, labels, help }) => [
    code(name),
    [type, ...(type === 'summary' ? ['quantile'] : Object.keys(labels)).map(code)].join(', '),
    help,
  ]),
)}

- No label has a value that a client controls, so the number of series is bounded.
- Several processes report the same value for a webhook or the log: use \`max\`.
- \`http_route\` is the path template, such as \`/plants/{id}\`. It is omitted for an unknown path.
- \`outcome\`: \`committed\` or \`failed\` for a batch; for an attempt the class of the status, such as \`2xx\`, or the failure, such as \`timeout\`.
- \`reason\`: \`slow\`, \`token\`, \`stopping\` or \`failed\`. For \`failed\`, the log has a line \`defect\`. \`policy\`: \`token\` or \`address\`.
`;

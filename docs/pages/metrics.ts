/** docs/metrics.md, from the list of metrics. */
import type { Instrument } from '../../src/base/instrument.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { code, item } from './markdown.ts';

export const renderMetrics = (): string => `# Metrics

\`GET /metrics\` returns these metrics of one process in the Prometheus text format. [operations.md](operations.md#metrics) connects
Prometheus and Grafana, and [troubleshooting.md](troubleshooting.md#when-an-alert-fires) says what to do when an alert fires.

${createMetrics().all.map(itemOf).join('\n')}

## Their labels

No label has a value that a client controls, so the number of series is bounded. Several processes report the same value for a webhook or
the log: use \`max\`.

- \`http_route\`: the path template, such as \`/plants/{id}\`. It is omitted for an unknown path.
- \`outcome\`: \`committed\` or \`failed\` for a batch; for an attempt a class such as \`2xx\`, or a failure such as \`timeout\`.
- \`reason\`: \`slow\`, \`token\`, \`stopping\` or \`failed\`, for which the log has a line \`defect\`.
- \`policy\`: \`token\` or \`address\`.
`;

const itemOf = ({ name, type, labels, help }: Instrument): string => {
  const names = type === 'summary' ? ['quantile'] : Object.keys(labels);
  const by = names.length === 0 ? '' : ` by ${names.map(code).join(', ')}`;
  return item(`${code(name)} (${type}${by}): ${help}`);
};

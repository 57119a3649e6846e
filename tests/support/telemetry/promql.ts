/** PromQL, by the grammar of Prometheus. */
import { parser } from '@prometheus-io/lezer-promql';

/** The names in an expression. Throws if it does not parse. */
export const namesIn = (expression: string): { metrics: string[]; labels: string[] } => {
  const metrics: string[] = [];
  const labels: string[] = [];
  parser.parse(expression).iterate({
    enter: ({ type, from, to }) => {
      const text = expression.slice(from, to);
      if (type.isError) throw new Error(`There is a mistake at ${from}: ${expression}`);
      if (type.name === 'Identifier') metrics.push(text);
      if (type.name === 'LabelName') labels.push(text);
    },
  });
  return { metrics, labels };
};

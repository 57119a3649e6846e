/** The dashboard of `deploy/`, with the queries that Grafana sends to Prometheus for its panels. */
import { join } from 'node:path';

export interface PanelQuery {
  readonly panel: string;
  readonly expression: string;
}

/** Every expression of the dashboard, for all processes of a job. */
export const readPanelQueries = async (job: string): Promise<PanelQuery[]> => {
  const { panels }: Dashboard = await Bun.file(join(import.meta.dir, '../../../deploy/grafana-dashboard.json')).json();
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({
      panel: title,
      expression: expr
        .replaceAll('$job', job)
        .replaceAll('$instance', '.*')
        .replaceAll('$__rate_interval', rateInterval),
    })),
  );
};

/** All that a trial has done is in it. */
const rateInterval = '1h';

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }[];
}

import type { Observer } from '../base/instrument.ts';
import { knownMethods, type Metrics, otherMethod } from '../metrics.ts';

/** Counts requests. It is on the path of each, so the series of a route, a method and a status is looked up by one text. */
export const createRequestMetrics = ({ requestDuration, activeRequests }: Metrics) => {
  const all = new Map<string, Observer>();
  /** `route` is as in Elysia's table, and null where there is none. */
  const seriesOf = (method: (typeof knownMethods)[number] | typeof otherMethod, route: string | null, status: number) =>
    requestDuration.series({
      http_request_method: method,
      http_route: route === null || route === '/*' ? undefined : route.replaceAll(/:(\w+)/g, '{$1}'),
      http_response_status_code: status,
    });
  return {
    begin: (): void => activeRequests.add(1),
    end: (method: string, route: string | null, status: number, durationMs: number): void => {
      activeRequests.add(-1);
      const known = knownMethods.find((one) => one === method) ?? otherMethod;
      const key = `${known} ${status} ${route}`;
      let series = all.get(key);
      if (!series) {
        series = seriesOf(known, route, status);
        all.set(key, series);
      }
      series.observe(durationMs / 1000);
    },
  };
};

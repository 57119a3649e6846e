/** The metrics of requests. They run for every request, so they look up a series by its parts, without building a string. */
import { knownMethods, otherMethod } from '../base/http-method.ts';
import type { Observer } from '../base/instrument.ts';
import type { Metrics } from '../metrics.ts';
import { templateOf } from './route.ts';

export const createRequestMetrics = ({ requestDuration, activeRequests, onScrape }: Metrics) => {
  /** By route, and then by status and method. */
  const series = new Map<string | null, Map<number, Observer>>();
  let active = 0;
  onScrape(() => activeRequests.set(active));

  const createObserver = (route: string | null, method: number, status: number): Observer =>
    requestDuration.series({
      http_request_method: knownMethods[method] ?? otherMethod,
      http_route: templateOf(route) ?? undefined,
      http_response_status_code: `${status}`,
    });

  return {
    begin: (): void => {
      active += 1;
    },
    /** `route` is as in the route table, and null if there is none. */
    end: (method: string, route: string | null, status: number, durationMs: number): void => {
      active -= 1;
      let ofRoute = series.get(route);
      if (!ofRoute) {
        ofRoute = new Map();
        series.set(route, ofRoute);
      }
      const index = methodIndexes.get(method) ?? knownMethods.length;
      const key = status * 16 + index;
      let observer = ofRoute.get(key);
      if (!observer) {
        observer = createObserver(route, index, status);
        ofRoute.set(key, observer);
      }
      observer.observe(durationMs / 1000);
    },
  };
};

const methodIndexes: ReadonlyMap<string, number> = new Map(knownMethods.map((method, index) => [method, index]));

/** Charts of the metrics since the page was opened. It reads them every few seconds, also while another view is shown. */
import type { ComponentChildren } from 'preact';
import { useCallback, useRef, useState } from 'preact/hooks';
import { getMetrics } from '../api/metrics.ts';
import type { Sample } from '../api/samples.ts';
import { NeedsScope, Notice } from '../parts/notice.tsx';
import { useInterval, useLoaded } from '../parts/task.ts';
import { Time } from '../parts/text.tsx';
import { useSession } from '../session.ts';
import { Chart } from './chart.tsx';
import { type Point, pointOf, type Reading, readingOf } from './reading.ts';

const everyMs = 3000;

/** An hour. */
const pointsMax = 1200;

export const Health = () => {
  const { api, can } = useSession();
  const [points, setPoints] = useState<readonly Point[]>([]);
  const before = useRef<Reading>(undefined);
  const load = useCallback(async () => {
    const samples = await getMetrics(api);
    const reading = readingOf(samples, Date.now());
    const earlier = before.current;
    if (earlier && earlier.atMs < reading.atMs)
      setPoints((all) => [...all, pointOf(earlier, reading)].slice(-pointsMax));
    before.current = reading;
    return samples;
  }, [api]);
  const canRead = can('metrics:read');
  const { value: samples, problem, reload } = useLoaded(canRead ? load : undefined);
  useInterval(canRead ? reload : undefined, everyMs);
  if (!canRead) return <NeedsScope scope="metrics:read">The metrics are not shown.</NeedsScope>;

  const times = points.map(({ atMs }) => atMs);
  const valuesOf = (name: keyof Point): readonly (number | undefined)[] => points.map((point) => point[name]);
  return (
    <>
      <div class="head">
        <h2>Health</h2>
        <p class="quiet">This process, since the page was opened. Requests for metrics are not counted.</p>
      </div>
      <Notice problem={problem} />
      {samples && <Process samples={samples} />}
      <div class="charts">
        <Chart
          title="Requests"
          unit="per second"
          times={times}
          series={[
            { title: 'all', values: valuesOf('requestsPerSecond') },
            { title: '5xx', values: valuesOf('failuresPerSecond') },
          ]}
        />
        <Chart
          title="Time of a request"
          unit="milliseconds"
          times={times}
          series={[
            { title: 'median', values: valuesOf('medianMs') },
            { title: 'p99', values: valuesOf('p99Ms') },
          ]}
        />
        <Chart
          title="Queue"
          unit="now"
          times={times}
          series={[
            { title: 'requests in progress', values: valuesOf('active') },
            { title: 'writes that wait', values: valuesOf('queued') },
          ]}
        />
        <Chart
          title="Webhooks"
          unit="all together"
          times={times}
          series={[{ title: 'events behind the log', values: valuesOf('lag') }]}
        />
      </div>
    </>
  );
};

const Process = ({ samples }: { readonly samples: readonly Sample[] }) => {
  const find = (name: string): Sample | undefined => samples.find((sample) => sample.name === name);
  const gaugeOf = (name: string): number => find(name)?.value ?? 0;
  const build = find('plant_store_build_info')?.labels ?? {};
  return (
    <dl class="facts">
      <Fact title="Version">
        {build['version']} on {build['runtime']} {build['runtime_version']}, {build['engine']}
      </Fact>
      <Fact title="Started">
        <Time at={new Date(gaugeOf('process_start_time_seconds') * 1000).toISOString()} />
      </Fact>
      <Fact title="Memory">{Math.round(gaugeOf('process_resident_memory_bytes') / 1e6)} MB</Fact>
      <Fact title="Events in the log">
        {logLength(gaugeOf('plant_store_log_first'), gaugeOf('plant_store_log_head'))}
      </Fact>
      <Fact title="Live streams">{gaugeOf('plant_store_streams')}</Fact>
    </dl>
  );
};

const Fact = ({ title, children }: { readonly title: string; readonly children: ComponentChildren }) => (
  <div>
    <dt>{title}</dt>
    <dd>{children}</dd>
  </div>
);

const logLength = (first: number, head: number): number => (head === 0 ? 0 : head - first + 1);

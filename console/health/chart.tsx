/** A small chart of one or two values over time, in SVG. Its text has the newest and the highest value, for those who do not see it. */

export interface Series {
  readonly title: string;
  /** Undefined where there is no value. */
  readonly values: readonly (number | undefined)[];
}

interface ChartProps {
  readonly title: string;
  readonly unit: string;
  /** The times of the values, in milliseconds. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
}

const width = 300;
const height = 80;

export const Chart = ({ title, unit, times, series }: ChartProps) => {
  const known = series.flatMap(({ values }) => values.filter((value) => value !== undefined));
  const top = Math.max(0, ...known);
  const summary = series.map(({ title: name, values }) => `${name}: ${show(values.at(-1))}`).join(', ');
  return (
    <figure class="card">
      <figcaption>
        <h3>
          {title} <small>{unit}</small>
        </h3>
        <ul class="legend">
          {series.map(({ title: name, values }, index) => (
            <li key={name} class={`series-${index}`}>
              {name} <strong>{show(values.at(-1))}</strong>
            </li>
          ))}
        </ul>
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}, ${unit}. Now ${summary}. Highest: ${show(top)}.`}
      >
        <line class="grid" x1={0} x2={width} y1={height} y2={height} />
        <line class="grid" x1={0} x2={width} y1={1} y2={1} />
        {series.map(({ title: name, values }, index) => (
          <path key={name} class={`series-${index}`} d={pathOf(times, values, top)} />
        ))}
      </svg>
      <p class="axis quiet">
        <span>{clock(times[0])}</span>
        <span>highest {show(top)}</span>
        <span>{clock(times.at(-1))}</span>
      </p>
    </figure>
  );
};

/** A line through the values. It has a gap where there is none, and a dash for a value between two gaps. */
const pathOf = (times: readonly number[], values: Series['values'], top: number): string => {
  const first = times[0] ?? 0;
  const span = Math.max(1, (times.at(-1) ?? 0) - first);
  let isOpen = false;
  const steps = values.map((value, index) => {
    if (value === undefined) {
      isOpen = false;
      return '';
    }
    const x = (((times[index] ?? 0) - first) / span) * width;
    const y = height - (top === 0 ? 0 : (value / top) * (height - 2));
    const dash = !isOpen && values[index + 1] === undefined ? 'h4' : '';
    const step = `${isOpen ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}${dash}`;
    isOpen = true;
    return step;
  });
  return steps.join('');
};

const show = (value: number | undefined): string => (value === undefined ? '–' : numberForm.format(value));

const numberForm = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

const clock = (atMs: number | undefined): string =>
  atMs === undefined ? '' : new Date(atMs).toLocaleTimeString(undefined, { hour12: false });

/**
 * Counters, gauges, histograms and summaries, and their text for Prometheus, in the format 0.0.4
 * (https://prometheus.io/docs/instrumenting/exposition_formats/). An instrument has a series for each set of label values.
 */

export interface Instrument {
  readonly name: string;
  /** One line of plain English. */
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  /** The names of the labels, each with the values that it may have, or `anyValue`. */
  readonly labels: Labels;
  readonly lines: () => string[];
}

type Labels = Readonly<Record<string, readonly string[]>>;
type NoLabels = Readonly<Record<never, never>>;

/** For a label whose values are known only at run time. */
export const anyValue: readonly string[] = [];

/** The values of the labels of a series, each of which may be undefined. No argument if there are no labels. */
type Values<Known extends Labels> = keyof Known extends never
  ? []
  : [values: { readonly [Name in keyof Known]: Known[Name][number] | undefined }];

const numbers =
  (type: 'counter' | 'gauge') =>
  <const Known extends Labels = NoLabels>(name: string, help: string, labels?: Known) => {
    const { at, ...instrument } = createInstrument({ type, name, help, labels }, createNumber);
    return {
      ...instrument,
      add: (amount: number, ...values: Values<Known>): void => at(...values).add(amount),
      /** Sets the value of a gauge, or the total of a counter that is counted elsewhere. */
      set: (value: number, ...values: Values<Known>): void => at(...values).set(value),
    };
  };

export const counter = numbers('counter');
export const gauge = numbers('gauge');

export interface Observer {
  readonly observe: (value: number) => void;
}

/** Counts values in buckets. Each bucket has the values up to its bound. The bounds are in ascending order. */
export const histogram = <const Known extends Labels = NoLabels>(
  name: string,
  help: string,
  bounds: readonly number[],
  labels?: Known,
) => {
  const { at, clear, ...instrument } = createInstrument({ type: 'histogram', name, help, labels }, () =>
    createBuckets(bounds),
  );
  return {
    ...instrument,
    observe: (value: number, ...values: Values<Known>): void => at(...values).observe(value),
    /** One series. A caller that stores it avoids the look-up of the labels. */
    series: (...values: Values<Known>): Observer => at(...values),
  };
};

/** Quantiles of some values, NaN if there were none, and the count and the sum of all values so far. */
export interface Summary {
  readonly quantiles: ReadonlyMap<number, number>;
  readonly count: number;
  readonly sum: number;
}

/** It has no lines until it is set. */
export const summary = (name: string, help: string) => {
  let samples: string[] = [];
  const set = ({ quantiles, count, sum }: Summary): void => {
    samples = [...quantiles].map(([quantile, value]) => line(name, `quantile="${quantile}"`, value));
    samples.push(line(`${name}_sum`, '', sum), line(`${name}_count`, '', count));
  };
  return { type: 'summary', name, help, labels: {}, lines: () => samples, set } as const;
};

/** The text of all instruments that have a series. */
export const toPrometheusText = (instruments: readonly Instrument[]): string =>
  instruments
    .flatMap(({ name, help, type, lines }) => {
      const samples = lines();
      return samples.length === 0 ? [] : [`# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`, ...samples];
    })
    .join('');

interface Series {
  readonly lines: (name: string, labels: string) => string[];
}

interface Description<Known> extends Pick<Instrument, 'type' | 'name' | 'help'> {
  readonly labels: Known | undefined;
}

/** Series whose label values are all known begin at 0, so that the first increase is visible. */
const createInstrument = <Known extends Labels, One extends Series>(
  { type, name, help, labels: known }: Description<Known>,
  create: () => One,
) => {
  const labels: Labels = known ?? {};
  const names = Object.keys(labels);
  const all = new Map<string | undefined, { readonly text: string; readonly one: One }>();
  const at = (values: Readonly<Record<string, string | undefined>> = {}): One => {
    const [first = ''] = names;
    const key = names.length > 1 ? names.map((label) => values[label]).join('\n') : values[first];
    const found = all.get(key);
    if (found) return found.one;
    const one = create();
    all.set(key, { text: names.flatMap((label) => toText(label, values[label])).join(), one });
    return one;
  };
  if (names.length === 0) at();
  if (names.length === 1)
    for (const [label, values] of Object.entries(labels)) values.map((value) => at({ [label]: value }));
  return {
    type,
    name,
    help,
    labels,
    at: (...[values]: Values<Known>): One => at(values),
    clear: () => all.clear(),
    lines: () => [...all.values()].flatMap(({ text, one }) => one.lines(name, text)),
  };
};

const createNumber = () => {
  let value = 0;
  return {
    add: (amount: number): void => {
      value += amount;
    },
    set: (next: number): void => {
      value = next;
    },
    lines: (name: string, labels: string) => [line(name, labels, value)],
  };
};

const createBuckets = (bounds: readonly number[]) => {
  /** One more than the bounds, for values above all bounds. */
  const counts = new Float64Array(bounds.length + 1);
  let sum = 0;
  return {
    observe: (value: number): void => {
      let bucket = 0;
      while (value > (bounds[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1;
      counts[bucket] = (counts[bucket] ?? 0) + 1;
      sum += value;
    },
    /** In the text, a bucket includes the values of the buckets before it. */
    lines: (name: string, labels: string) => {
      let count = 0;
      const buckets = [...bounds, '+Inf'].map((bound, bucket) => {
        count += counts[bucket] ?? 0;
        return line(`${name}_bucket`, `${labels}${labels && ','}le="${bound}"`, count);
      });
      return [...buckets, line(`${name}_sum`, labels, sum), line(`${name}_count`, labels, count)];
    },
  };
};

const toText = (label: string, value: string | undefined): string[] =>
  value === undefined ? [] : [`${label}="${value.replaceAll(/[\\"\n]/g, toEscape)}"`];

const toEscape = (character: string): string => (character === '\n' ? '\\n' : `\\${character}`);

const line = (name: string, labels: string, value: number): string => `${name}${labels && `{${labels}}`} ${value}\n`;

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
  readonly labels: LabelNames;
  readonly lines: () => string[];
}

type LabelNames = Readonly<Record<string, readonly string[]>>;

/** For a label whose values are known only at run time. */
export const anyValue: readonly string[] = [];

/** The values of the labels of a series, each of which may be absent. No argument if there are no labels. */
type Values<Labels extends LabelNames> = keyof Labels extends never
  ? []
  : [values: { readonly [Name in keyof Labels]: Labels[Name][number] | undefined }];

interface Description<Labels extends LabelNames> {
  readonly name: string;
  readonly help: string;
  readonly labels?: Labels;
}

type NoLabels = Readonly<Record<never, never>>;

export const counter = <const Labels extends LabelNames = NoLabels>(description: Description<Labels>) =>
  createNumberSeries('counter', description);

export const gauge = <const Labels extends LabelNames = NoLabels>(description: Description<Labels>) =>
  createNumberSeries('gauge', description);

/** One series of a histogram. */
export interface Observer {
  readonly observe: (value: number) => void;
}

/** Counts values in buckets. Each bucket has the values up to its bound. The bounds are in ascending order. */
export const histogram = <const Labels extends LabelNames = NoLabels>({
  bounds,
  ...description
}: Description<Labels> & { readonly bounds: readonly number[] }) => {
  const { at, lines } = createSeries(description, () => createBuckets(bounds));
  return {
    ...describe('histogram', description),
    lines,
    observe: (value: number, ...values: Values<Labels>): void => at(...values).observe(value),
    /** One series. A caller that stores it avoids the look-up of the labels. */
    series: (...values: Values<Labels>): Observer => at(...values),
  };
};

/** Quantiles of some values, and the count and the sum of all values so far. */
export const summary = (description: Description<NoLabels>) => {
  const { name } = description;
  let lines: string[] = [];
  return {
    ...describe('summary', description),
    lines: () => lines,
    set: (quantiles: ReadonlyMap<number, number>, { count, sum }: { count: number; sum: number }): void => {
      lines = [
        ...[...quantiles].map(([quantile, value]) => line(name, `quantile="${quantile}"`, value)),
        line(`${name}_sum`, '', sum),
        line(`${name}_count`, '', count),
      ];
    },
  };
};

/** The text of all instruments that have a series. */
export const toPrometheusText = (instruments: readonly Instrument[]): string =>
  instruments
    .flatMap(({ name, help, type, lines }) => {
      const samples = lines();
      return samples.length === 0 ? [] : [`# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`, ...samples];
    })
    .join('');

const describe = <Type extends Instrument['type']>(
  type: Type,
  { name, help, labels = {} }: Description<LabelNames>,
) => ({ name, help, type, labels });

const createNumberSeries = <Type extends 'counter' | 'gauge', Labels extends LabelNames>(
  type: Type,
  description: Description<Labels>,
) => {
  const { at, clear, lines } = createSeries(description, createNumber);
  return {
    ...describe(type, description),
    lines,
    add: (amount: number, ...values: Values<Labels>): void => at(...values).add(amount),
    /** Sets the value of a gauge, or the total of a counter that is counted elsewhere. */
    set: (value: number, ...values: Values<Labels>): void => at(...values).set(value),
    clear,
  };
};

/** The state of a series. */
interface Kept {
  readonly lines: (name: string, labels: string) => string[];
}

/** All series by their label values. Series whose label values are all known begin at 0, so that the first increase is visible. */
const createSeries = <Labels extends LabelNames, One extends Kept>(
  { name, labels }: Description<Labels>,
  create: () => One,
) => {
  const names = Object.keys(labels ?? {});
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
    for (const [label, known] of Object.entries(labels ?? {})) known.map((value) => at({ [label]: value }));
  return {
    at: (...[values]: Values<Labels>): One => at(values),
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

/** Reads the text format 0.0.4 of Prometheus, strictly, so that tests can look at the values. */

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Throws with the line that is not in the format, that comes twice, or that is not under the description of its metric. */
export const parseMetrics = (text: string): Sample[] => {
  const samples = new Map<string, Sample>();
  let described = '';
  for (const line of text.split('\n').slice(0, -1)) {
    const description = descriptionForm.exec(line)?.[1];
    if (description !== undefined) described = description;
    const [, name = '', labels = '', value = ''] = sampleForm.exec(line) ?? [];
    const isUnder = name === described || name.replace(/_(?:bucket|sum|count)$/, '') === described;
    if (description === undefined && !isUnder) throw new Error(`not in the format, or not described: ${line}`);
    if (description !== undefined) continue;
    const pairs = [...labels.matchAll(labelForm)].map(([, label = '', text = '']) => [label, text]);
    const series = `${name} ${pairs.sort().join()}`;
    if (samples.has(series)) throw new Error(`twice: ${line}`);
    samples.set(series, { name, labels: Object.fromEntries(pairs), value: Number(value) });
  }
  return [...samples.values()];
};

/** The samples with this name and these labels. */
export const samplesOf = (samples: readonly Sample[], name: string, labels: Sample['labels'] = {}): Sample[] =>
  samples.filter(
    (one) => one.name === name && Object.entries(labels).every(([label, value]) => one.labels[label] === value),
  );

/** The value of the one sample with this name and these labels. Throws when there are none or several. */
export const sampleValue = (samples: readonly Sample[], name: string, labels?: Sample['labels']): number => {
  const [sample, ...others] = samplesOf(samples, name, labels);
  if (!sample || others.length > 0) throw new Error(`${others.length + (sample ? 1 : 0)} samples are named ${name}`);
  return sample.value;
};

const descriptionForm = /^# (?:HELP|TYPE) ([a-z_]+) (?:[^\\]*|counter|gauge|histogram|summary)$/;
const labelForm = /([a-z_]+)="((?:[^"\\]|\\[\\"n])*)"/g;
const sampleForm = /^([a-z_]+)(?:\{((?:[a-z_]+="(?:[^"\\]|\\[\\"n])*",?)+)\})? (NaN|-?[0-9.]+(?:e[+-]?[0-9]+)?)$/;

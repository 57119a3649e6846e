/** The text format of Prometheus, as the service writes it. */

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export const readSamples = (text: string): readonly Sample[] =>
  text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = line.startsWith('#') ? [] : (form.exec(line) ?? []);
    return name === undefined ? [] : [{ name, labels: readLabels(labels), value: Number(value) }];
  });

const form = /^(\w+)(?:\{(.*)\})? (\S+)/;

const readLabels = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries([...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => [name, value]));

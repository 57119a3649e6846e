/** Reads the metrics of the service, in the text format of Prometheus. */
import { type Api, expect } from './client.ts';

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export const getMetrics = async (api: Api): Promise<readonly Sample[]> => {
  const { data } = await expect(api.metrics.get());
  return readMetrics(`${data}`);
};

export const readMetrics = (text: string): readonly Sample[] =>
  text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = line.startsWith('#') ? [] : (form.exec(line) ?? []);
    return name === undefined ? [] : [{ name, labels: readLabels(labels), value: Number(value) }];
  });

const form = /^(\w+)(?:\{(.*)\})? (\S+)/;

const readLabels = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries([...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => [name, value]));

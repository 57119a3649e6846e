/** Compares the values in Prometheus with the counts of the clients. */
import type { Prometheus } from '../../support/telemetry/prometheus-server.ts';
import { comesTrue } from '../support/comes-true.ts';
import type { Verdict } from '../support/verdict.ts';

export interface Expectations {
  /** Waits until `read` resolves to the known values. Both may still change. */
  equal(what: string, read: () => Promise<unknown>, known: () => unknown): Promise<void>;
  /** Waits until the expression has this one value. */
  value(expression: string, known: number): Promise<void>;
}

/** `name` begins each fault. */
export const createExpectations = (name: string, prometheus: Prometheus, expect: Verdict['expect']): Expectations => {
  const equal: Expectations['equal'] = async (what, read, known) => {
    let actual: unknown;
    const isEqual = async (): Promise<boolean> => {
      actual = await read();
      return Bun.deepEquals(actual, known());
    };
    const isTrue = await comesTrue(isEqual);
    expect(isTrue, `${name}: ${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(known())}`);
  };
  return {
    equal,
    value: (expression, known) =>
      equal(
        expression,
        () => readBy(prometheus, expression, []),
        () => ({ '': known }),
      ),
  };
};

/** The values of an expression, by the values of these labels with a space between them. A missing label is empty. */
export const readBy = async (
  { query }: Prometheus,
  expression: string,
  names: readonly string[],
): Promise<Record<string, number>> => {
  const samples = await query(expression);
  return Object.fromEntries(
    samples.map(({ labels, value }) => [names.map((name) => labels[name] ?? '').join(' '), value]),
  );
};

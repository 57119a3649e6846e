/** To make a sample of a schema, as an example for readers: it is valid. */
import { validate } from '@hyperjump/json-schema/openapi-3-1';
import { type Check, type CheckResult, resultOf } from '../check.ts';
import { canonicalJson, exactJson } from '../exact-json.ts';
import type { Session } from '../session.ts';

export interface SampleCheck extends Check {
  /** A schema of the components. */
  readonly schema: string;
  /** The sample, where not every valid one is right. */
  readonly value?: unknown;
}

export type SampleQuestion = Pick<SampleCheck, 'schema'>;

/** The sample of each schema, as JSON. */
export type Sample = (session: Session, questions: readonly SampleQuestion[]) => Promise<readonly string[]>;

export const askSample = async (
  session: Session,
  sample: Sample,
  checks: readonly SampleCheck[],
): Promise<CheckResult[]> => {
  const samples = await sample(session, checks);
  return Promise.all(
    checks.map(async (check, index) => {
      const observed = samples[index] ?? '';
      return resultOf(session, check, {
        input: `#/components/schemas/${check.schema}`,
        expected: check.value === undefined ? 'a valid sample' : exactJson(check.value),
        observed,
        grade: (await isRight(session, check, observed)) ? 'right' : 'ignored',
      });
    }),
  );
};

const isRight = async (session: Session, { schema, value }: SampleCheck, sample: string): Promise<boolean> => {
  if (value !== undefined) return canonicalJson(sample) === canonicalJson(exactJson(value));
  if (canonicalJson(sample) === undefined) return false;
  const place = `${session.file('openapi.json')}#/components/schemas/${schema}`;
  return (await validate(place, JSON.parse(sample))).valid;
};

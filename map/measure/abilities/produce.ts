/** To write a document that has a feature, from the code of a service. The document is judged, and not the code. */
import { InvalidSchemaError } from '@hyperjump/json-schema/draft-2020-12';
import { validate as validate30 } from '@hyperjump/json-schema/openapi-3-0';
import { validate as validate31 } from '@hyperjump/json-schema/openapi-3-1';
import { validate as validate32 } from '@hyperjump/json-schema/openapi-3-2';
import { type Check, type CheckResult, type Grade, resultOf } from '../check.ts';
import { canonicalJson, exactJson } from '../exact-json.ts';
import { type Document, valueAt, versionOf } from '../operation.ts';
import type { Session } from '../session.ts';

export interface ProduceQuestion {
  /** The program to write: the id of its feature. */
  readonly program: string;
  /** What the program says, for a reader who writes it for another tool. */
  readonly says: string;
  readonly checks: readonly ProduceCheck[];
}

export interface ProduceCheck extends Check {
  /** A place in the document. */
  readonly pointer: string;
  /** The value there. */
  readonly value?: unknown;
  /** A value that the schema there accepts or refuses. */
  readonly instance?: unknown;
  readonly isValid?: boolean;
}

/** The document as JSON, or undefined where there is no such program. */
export type Produce = (session: Session, program: string) => Promise<string | undefined>;

const validators = { '3.0': validate30, '3.1': validate31, '3.2': validate32 };

/** Of the schemas of a document too, by the dialect of its version. */
const schemas = {
  '3.0': 'https://spec.openapis.org/oas/3.0/schema',
  '3.1': 'https://spec.openapis.org/oas/3.1/schema-base',
  '3.2': 'https://spec.openapis.org/oas/3.2/schema-base',
} as const;

export const askProduce = async (
  session: Session,
  produce: Produce,
  { program, says, checks }: ProduceQuestion,
): Promise<CheckResult[]> => {
  const text = await produce(session, program);
  if (text === undefined) return [];
  const document: Document = JSON.parse(text, withoutDialect);
  const file = session.file('produced.openapi.json');
  await Bun.write(file, JSON.stringify(document));
  const version = versionOf(document);
  const { valid } = await validators[version](schemas[version], JSON.parse(text, withoutDialect));
  const results = [
    resultOf(
      session,
      { check: 'the document that it writes', isBasic: true },
      { input: says, expected: 'valid', observed: valid ? 'valid' : 'not valid', grade: valid ? 'right' : 'wrong' },
    ),
  ];
  for (const check of checks) results.push(resultOf(session, check, await graded(document, file, check)));
  return results;
};

/** A schema may say that its dialect is JSON Schema, as in `cases/dialect`. The official schemas know that of OpenAPI alone, which has the same keywords. */
const withoutDialect = (name: string, value: unknown): unknown =>
  name === '$schema' && value === 'https://json-schema.org/draft/2020-12/schema' ? undefined : value;

const graded = async (document: Document, file: string, { pointer, value, instance, isValid = true }: ProduceCheck) => {
  const found = valueAt(document, pointer);
  const observed = exactJson(found) || 'nothing';
  if (value !== undefined) {
    const isSame = canonicalJson(observed) === canonicalJson(exactJson(value));
    const grade: Grade = isSame ? 'right' : found === undefined ? 'ignored' : 'wrong';
    return { input: `the value at ${pointer}`, expected: exactJson(value), observed, grade };
  }
  const input = `${exactJson(instance)}, by the schema at ${pointer}`;
  const expected = isValid ? 'accepted' : 'refused';
  if (found === undefined) return { input, expected, observed: 'nothing', grade: 'ignored' as const };
  const isAccepted = await accepts(document, file, pointer, instance);
  const grade: Grade = isAccepted === isValid ? 'right' : isValid ? 'wrong' : 'ignored';
  return { input, expected, observed: isAccepted ? 'accepted' : 'refused', line: observed, grade };
};

/** A schema that is none accepts nothing. */
const accepts = async (document: Document, file: string, pointer: string, instance: unknown): Promise<boolean> => {
  try {
    const place = `${file}#${encodeURI(pointer)}`;
    return (await validators[versionOf(document)](place, JSON.parse(exactJson(instance)))).valid;
  } catch (error) {
    if (error instanceof InvalidSchemaError) return false;
    throw error;
  }
};

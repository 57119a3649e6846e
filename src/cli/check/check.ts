/** The answers of `plant-store check`, and of the page of the lessons, which runs this in the browser. */

import { valueAt } from '../../base/json-pointer.ts';
import { type OpenApi, readOpenApi, textBytesMax, Unreadable } from './document.ts';
import { explain, type Reason } from './explain.ts';
import { checkReferences, type Finding } from './references.ts';
import { referenceTo, refusalsOfDocument, refusalsOfValue, uncheckedBy } from './schema.ts';

export interface Answer {
  /** `misused`: what was asked has no answer, such as for a pointer that leads nowhere. */
  readonly outcome: 'right' | 'wrong' | 'misused';
  readonly lines: readonly string[];
}

const right = (...lines: string[]): Answer => ({ outcome: 'right', lines });
const wrong = (...lines: string[]): Answer => ({ outcome: 'wrong', lines });
const misused = (...lines: string[]): Answer => ({ outcome: 'misused', lines });

const reasonsMax = 10;

/** Whether the text is a valid document, whose references lead to what exists. */
export const checkDocument = (text: string): Promise<Answer> =>
  withDocument(text, async (openapi, { elsewhere }) =>
    right(
      `valid OpenAPI ${openapi.version}${noteOnSchemas(openapi)}`,
      ...elsewhere.map((finding) => lineOf(finding, openapi)),
    ),
  );

/** What follows "valid" if the Schema Objects have a dialect that is not known here. */
export const noteOnSchemas = (openapi: OpenApi): string => {
  const found = uncheckedBy(openapi);
  if (found === undefined) return '';
  const line = openapi.lineAt(found.pointer);
  return `, but its schemas were not checked, because line ${line} has another dialect: ${found.dialect}`;
};

/** Whether a value, a text in JSON, matches the schema at a JSON Pointer of a valid document. */
export const checkValue = (text: string, pointer: string, json: string): Promise<Answer> =>
  withDocument(text, async (openapi) => {
    const place = pointer.replace(/^#/, '');
    if (/^[^/]/.test(place) || valueAt(openapi.value, place) === undefined)
      return misused(`The document has nothing at ${place}. A JSON Pointer is such as /components/schemas/Plant.`);
    if (json.length > textBytesMax) return misused(`The value is larger than ${textBytesMax / 1024 ** 2} MiB.`);
    const value = parseJson(json);
    if (value === undefined) return misused(notJson);
    const reasons = await reasonsAgainst(openapi, place, value);
    return reasons.length === 0 ? right('matches') : wrong('does not match:', ...shorten(reasons.map(lineOfValue)));
  });

/** Undefined if it is not JSON. */
const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const notJson =
  'The value is not JSON. Names and texts have double quotes, and a shell needs single quotes around all: \'{"name":"Fern"}\'.';

/** Why a value does not match the schema at a pointer. Empty if it matches. */
export const reasonsAgainst = async (openapi: OpenApi, pointer: string, value: unknown): Promise<Reason[]> =>
  explain(await refusalsOfValue(openapi, pointer, value), value);

/** The answer for a document that is valid, or the one that it is not. */
export const withDocument = async (
  text: string,
  answer: (openapi: OpenApi, references: ReturnType<typeof checkReferences>) => Promise<Answer>,
): Promise<Answer> => {
  try {
    const openapi = readOpenApi(text);
    const reasons = explain(await refusalsOfDocument(openapi), openapi.value);
    const references = checkReferences(openapi.value);
    const findings = [
      ...reasons.map(({ pointer, words }) => ({ pointer, text: `${pointer || 'the document'} ${words}` })),
      ...references.broken,
    ];
    if (findings.length === 0) return await answer(openapi, references);
    const lines = [...new Set(findings.map((finding) => lineOf(finding, openapi)))];
    return wrong(`not valid OpenAPI ${openapi.version}:`, ...shorten(lines));
  } catch (error) {
    if (error instanceof Unreadable) return wrong('not readable:', ...error.lines.map((line) => `  ${line}`));
    // The stack is full.
    if (error instanceof RangeError) return wrong('not readable:', `  ${tooDeep}`);
    return wrong('not usable:', `  The validator says: ${error instanceof Error ? error.message : error}`);
  }
};

const tooDeep = 'Its parts are nested too deeply, or a schema contains itself for the same value.';

const lineOf = ({ pointer, text }: Finding, { lineAt }: OpenApi): string => `  line ${lineAt(pointer)}: ${text}`;

/** The part of the value, what is wrong with it, and the keyword that says so. */
export const lineOfValue = ({ pointer, words, refusal }: Reason): string =>
  `  ${pointer || 'the value'} ${words} (${referenceTo(refusal)})`;

const shorten = (lines: readonly string[]): string[] => [
  ...lines.slice(0, reasonsMax),
  ...(lines.length > reasonsMax ? [`  and ${lines.length - reasonsMax} more`] : []),
];

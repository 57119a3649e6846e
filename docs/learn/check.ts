/**
 * The tool of the lessons. `bun docs/learn/check.ts FILE` checks a document against the official schema of its version of OpenAPI. With a JSON
 * Pointer and a value, it checks the value against the schema there; `-` reads the value from stdin. It prints the answer and, for a value
 * that does not match, each place in it with the keyword that refuses it.
 */
import { readFileSync } from 'node:fs';
import { validate as validate30 } from '@hyperjump/json-schema/openapi-3-0';
import { type Output, registerSchema, setShouldValidateSchema, validate } from '@hyperjump/json-schema/openapi-3-1';
import { validate as validate32 } from '@hyperjump/json-schema/openapi-3-2';
import { parse } from 'yaml';

/** By the version of OpenAPI: the official schema, and the dialect of a document that names none. */
const versions = [
  { version: '3.0', check: validate30, schema: '3.0/schema', dialect: '3.0/dialect' },
  { version: '3.1', check: validate, schema: '3.1/schema-draft-2020-12', dialect: '3.1/dialect/base' },
  { version: '3.2', check: validate32, schema: '3.2/schema-draft-2020-12', dialect: '3.2/dialect' },
] as const;

const official = 'https://spec.openapis.org/oas/';

/** Where the document is registered. Its references have no other file. */
const uri = 'https://lesson.example/openapi';

const checkDocument = async (file: string): Promise<string> => {
  const { document, version, check, schema } = read(file);
  const output = await check(`${official}${schema}`, document, 'BASIC');
  return answer(output, `valid OpenAPI ${version}`, `not valid OpenAPI ${version}`);
};

const checkValue = async (file: string, pointer: string, text: string): Promise<string> => {
  const { document, check, dialect } = read(file);
  // A whole document is no schema; only what the pointer leads to is one.
  setShouldValidateSchema(false);
  registerSchema(document, uri, document.jsonSchemaDialect ?? `${official}${dialect}`);
  const output = await check(`${uri}#${pointer}`, JSON.parse(text), 'BASIC');
  return answer(output, 'matches', 'does not match');
};

const read = (file: string) => {
  const document = parse(readFileSync(file, 'utf8'));
  const found = versions.find(({ version }) => `${document?.openapi}`.startsWith(version));
  if (found === undefined) throw new Error(`${file} has no known version of OpenAPI.`);
  return { document, ...found };
};

const answer = (output: Output, yes: string, no: string): string => {
  if (output.valid) return yes;
  const reasons = (output.errors ?? []).map(({ instanceLocation, absoluteKeywordLocation }) => {
    const place = decodeURIComponent(instanceLocation.slice(1)) || 'the value';
    return `  ${place}: ${absoluteKeywordLocation.replace(uri, '')}`;
  });
  // The reasons of each alternative follow.
  const alternatives = reasons.findIndex((reason) => reason.endsWith('/oneOf'));
  const shown = reasons.slice(0, alternatives < 0 ? reasonsMax : Math.min(alternatives + 1, reasonsMax));
  return [`${no}:`, ...shown, ...(shown.length < reasons.length ? ['  and more'] : [])].join('\n');
};

const reasonsMax = 3;

const [file, pointer, value = '-'] = process.argv.slice(2);
if (file === undefined) throw new Error('Usage: bun docs/learn/check.ts FILE [POINTER VALUE]');
console.log(
  pointer === undefined
    ? await checkDocument(file)
    : await checkValue(file, pointer, value === '-' ? await Bun.stdin.text() : value),
);

/** The cases of the map: nothing in them may be ours to blame. */
import { expect, test } from 'bun:test';
import '@hyperjump/json-schema/draft-2020-12';
import { validate as validate30 } from '@hyperjump/json-schema/openapi-3-0';
import { validate as validate31 } from '@hyperjump/json-schema/openapi-3-1';
import { validate as validate32 } from '@hyperjump/json-schema/openapi-3-2';
import { readAdapters } from './adapter.ts';
import { as30, readCases, variantOf } from './case.ts';
import { readMapData, type ToolData } from './data.ts';
import { exactJson } from './exact-json.ts';
import firstVerdicts from './first-verdicts.json' with { type: 'json' };
import notes from './notes.json' with { type: 'json' };
import { checksOf, readResults } from './results.ts';
import { verdictOf } from './verdict.ts';

const cases = await readCases();
const adapters = await readAdapters();

const isValid = async (document: unknown, openapi: string): Promise<boolean> => {
  const json = JSON.parse(exactJson(document));
  if (openapi.startsWith('3.0')) return (await validate30('https://spec.openapis.org/oas/3.0/schema', json)).valid;
  const validate = openapi.startsWith('3.2') ? validate32 : validate31;
  return (await validate(`https://spec.openapis.org/oas/${openapi.slice(0, 3)}/schema-draft-2020-12`, json)).valid;
};

const documents = cases.flatMap((feature) => [
  { id: feature.id, document: feature.document },
  ...(feature.variants ?? []).map((variant) => ({
    id: `${feature.id} ${variant.name}`,
    document: variantOf(feature, variant).document,
  })),
]);

test.each(documents)(
  'the document of $id is valid by the official schema, and invalid without a title',
  async ({ document }) => {
    const openapi = `${document['openapi']}`;
    expect(await isValid(document, openapi)).toBe(true);
    expect(await isValid({ ...document, info: { version: '1' } }, openapi)).toBe(false);
  },
);

test('measured results belong to a case and an adapter', () => {
  for (const adapter of adapters)
    for (const feature of Object.keys(readResults(adapter)?.answers ?? {}))
      expect(cases.map((one) => one.id)).toContain(feature);
});

/** The pairs that had a verdict before verdicts were measured. */
const firstPairs = Object.entries<readonly string[]>(firstVerdicts).flatMap(([tool, features]) =>
  features.map((feature) => `${tool}, ${feature}`),
);

const pairsOf = (tools: readonly ToolData[]): string[] =>
  tools.flatMap(({ id, verdicts, unasked = [] }) =>
    [...verdicts, ...unasked].map(({ feature }) => `${id}, ${feature}`),
  );

test('every tool and feature that ever had a verdict has one, or the reason why it cannot be asked', async () => {
  expect(firstPairs).toHaveLength(370);
  const { tools } = await readMapData();
  const pairs = new Set(pairsOf(tools));
  expect(firstPairs.filter((pair) => !pairs.has(pair))).toEqual([]);
});

test('notes belong to a tool', () => {
  expect(Object.keys(notes).filter((id) => !adapters.some((adapter) => adapter.id === id))).toEqual([]);
});

test('a wrong verdict counts only if another tool answers the same check right, or the case quotes the specification', () => {
  const measured = adapters.flatMap((adapter) =>
    Object.entries(readResults(adapter)?.answers ?? {}).map(([feature, answers]) => ({
      id: adapter.id,
      feature,
      checks: checksOf(answers),
    })),
  );
  const isRight = (feature: string, check: string) =>
    measured.some(
      (one) => one.feature === feature && one.checks.some((it) => it.check === check && it.grade === 'right'),
    );
  const unproven = measured.flatMap(({ id, feature, checks }) => {
    const computed = verdictOf(checks);
    const isProven = cases.find((one) => one.id === feature)?.specification !== undefined;
    return computed?.verdict === 'wrong' && !isProven && !isRight(feature, computed.deciding.check)
      ? [`${id}, ${feature}: ${computed.deciding.check}`]
      : [];
  });
  expect(unproven).toEqual([]);
});

test('no answer has a path of the machine that measured it', () => {
  const texts = adapters.map((adapter) => JSON.stringify(readResults(adapter)?.answers ?? {}));
  const isPath = /(?<![\w.:/])\/(?:home|root|tmp|Users|work|usr|var|opt|mnt)\/[\w./@-]*/g;
  expect(texts.flatMap((text) => text.match(isPath) ?? [])).toEqual([]);
});

const documents30 = cases
  .filter(({ since }) => since === '3.0')
  .map(as30)
  .flatMap((feature) => [feature, ...(feature.variants ?? []).map((variant) => variantOf(feature, variant))]);

test.each(documents30)(
  'the document of $id is valid as one of 3.0.3, for tools that read no other version',
  async ({ document }) => {
    expect(await isValid(document, '3.0.3')).toBe(true);
    expect(await isValid({ ...document, info: { version: '1' } }, '3.0.3')).toBe(false);
  },
);

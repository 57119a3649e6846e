/** The cases of the map: nothing in them may be ours to blame. */
import { expect, test } from 'bun:test';
import '@hyperjump/json-schema/draft-2020-12';
import { validate as validate30 } from '@hyperjump/json-schema/openapi-3-0';
import { validate as validate31 } from '@hyperjump/json-schema/openapi-3-1';
import { validate as validate32 } from '@hyperjump/json-schema/openapi-3-2';
import { readAdapters } from './adapter.ts';
import { readCases, variantOf } from './case.ts';
import { readMapData } from './data.ts';
import { readResults } from './results.ts';
import { verdictOf } from './verdict.ts';

const cases = await readCases();
const adapters = await readAdapters();

const isValid = async (document: unknown, openapi: string): Promise<boolean> => {
  const json = JSON.parse(JSON.stringify(document));
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

test('every tool and feature that had a verdict has one, and measured results belong to a case and an adapter', async () => {
  const { tools } = await readMapData();
  expect(tools.flatMap(({ verdicts }) => verdicts).length).toBeGreaterThanOrEqual(370);
  for (const { id } of adapters)
    for (const feature of Object.keys(readResults(id)?.answers ?? {}))
      expect(cases.map((one) => one.id)).toContain(feature);
});

test('a wrong verdict counts only if another tool answers the same check right, or the case quotes the specification', () => {
  const measured = adapters.flatMap(({ id }) =>
    Object.entries(readResults(id)?.answers ?? {}).map(([feature, { checks }]) => ({ id, feature, checks })),
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

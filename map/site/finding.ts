/**
 * For each wrong verdict, a text in Markdown for the tracker of the tool. Nothing is sent: a person reads it, looks whether the tracker
 * has it already, and decides.
 */

import type { CheckResult } from '../measure/check.ts';
import type { FeatureData, MapData, ToolData, VerdictData } from '../measure/data.ts';
import { plain } from './text.tsx';

export interface Finding {
  readonly tool: ToolData;
  readonly feature: FeatureData;
  readonly path: string;
  readonly title: string;
  readonly text: string;
}

export const findingsOf = (tool: ToolData, data: MapData): Finding[] =>
  data.features.flatMap((feature) =>
    tool.verdicts
      .filter((verdict) => verdict.feature === feature.id && verdict.verdict === 'wrong')
      .map((verdict) => {
        const title = titleOf(feature, verdict);
        const path = `findings/${tool.id}-${feature.id}.md`;
        return { tool, feature, path, title, text: textOf({ title, tool, feature, verdict, data }) };
      }),
  );

/** A title of a tracker is one line. */
const seenInTitleMax = 100;

const titleOf = ({ since, name }: FeatureData, { seen }: VerdictData): string =>
  seen.length > seenInTitleMax ? `OpenAPI ${since}: ${name}` : `OpenAPI ${since}: ${name}: ${seen.replace(/\.$/, '')}`;

interface Subject {
  readonly title: string;
  readonly tool: ToolData;
  readonly feature: FeatureData;
  readonly verdict: VerdictData;
  readonly data: MapData;
}

const textOf = (subject: Subject): string => {
  const { title, tool, feature, verdict, data } = subject;
  // A basic check that is not right decides, too (`map/verdict.ts`).
  const checks = verdict.checks.filter(({ grade, isBasic }) => grade === 'wrong' || (isBasic && grade !== 'right'));
  const facts = [
    `- Version: ${tool.name} ${tool.version} (${tool.registry}: \`${tool.package}\`)`,
    ...(data.environment === '' ? [] : [`- Environment: ${data.environment}`]),
    `- Seen on ${verdict.date}, by a program that repeats it`,
  ];
  const document = feature.document === '' ? [] : ['## Document', introduction, fence(feature.document, 'yaml')];
  return `${[
    `# ${title}`,
    facts.join('\n'),
    ...document,
    ...checks.flatMap((check) => sectionsOf(check, subject)),
    '## Why',
    feature.meaning,
    ...(feature.specification === undefined ? [] : [quotesOf(feature.specification)]),
  ].join('\n\n')}\n`;
};

const introduction =
  'The smallest document that uses the feature. It is valid by the official schema of OpenAPI. Save it as `openapi.yaml`.';

const sectionsOf = (check: CheckResult, subject: Subject): string[] => {
  const others = othersThatAreRight(check, subject);
  return [
    `## ${plain(check.check)}`,
    '**Steps to repeat**',
    ...(check.command === '' ? [] : ['Use:', fence(check.command)]),
    ...(check.input === '' ? [] : ['With this input:', fence(check.input)]),
    '**Expected**',
    fence(check.expected),
    '**Observed**',
    fence(check.observed),
    ...(check.line === undefined || check.line === '' ? [] : ['The line that decides:', fence(check.line)]),
    ...(others.length === 0 ? [] : [`As expected here: ${others.join(', ')}.`]),
  ];
};

const quotesOf = ({ url, quotes }: NonNullable<FeatureData['specification']>): string =>
  [`The [specification](${url}) says:`, ...quotes.map((quote) => `> ${quote}`)].join('\n\n');

/** Tools that answer the same question right, so that the question can be answered. */
const othersThatAreRight = ({ check }: CheckResult, { feature, data }: Subject): string[] =>
  data.tools
    .filter(({ verdicts }) =>
      verdicts.some(
        ({ feature: id, checks }) =>
          id === feature.id && checks.some((one) => one.check === check && one.grade === 'right'),
      ),
    )
    .map(({ name, version }) => `${name} ${version}`);

/** A block of code. Its fence is longer than any in the text. */
const fence = (text: string, language = ''): string => {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}${language}\n${text.trimEnd()}\n${ticks}`;
};

/** A small map with everything that a map can have, and a large one. For tests. */

import type { CheckResult } from '../measure/check.ts';
import type { FeatureData, MapData, ToolData, Verdict } from '../measure/data.ts';
import { verdicts } from './verdicts.ts';

const check: CheckResult = {
  check: 'a `tag` that is null',
  isBasic: false,
  command: 'npx --yes a-linter@1.0.0 openapi.yaml',
  input: '{"tag":null}',
  expected: 'accepted',
  observed: 'rejected',
  line: 'must be string: <b>tag</b>',
  grade: 'wrong',
};

const reported: CheckResult = { ...check, check: 'a mistake', observed: 'rejected', grade: 'right' };
const hidden: CheckResult = { ...check, check: 'a text', observed: 'not shown', grade: 'ignored' };

const nullable: FeatureData = {
  id: 'type-arrays',
  name: 'type arrays with `null`',
  since: '3.1',
  meaning: 'A value has one of several types.',
  why: 'Null removes a `tag`.',
  document: 'openapi: 3.1.1\ninfo: { title: "<script>", version: "1" }\npaths: {}\n',
  use: { document: 'openapi.yaml', pointers: ['/components/schemas/PlantPatch/properties/tag/type'] },
  specification: { url: 'https://specification.example/#type', quotes: ['The value MUST be a string or an array.'] },
};

const streams: FeatureData = {
  ...nullable,
  id: 'item-schema',
  name: '`itemSchema` of a stream',
  since: '3.2',
  document: '',
  use: { document: '', pointers: [] },
};

const linter: ToolData = {
  id: 'a-linter',
  name: 'A linter',
  kind: 'linter',
  language: 'Go',
  registry: 'npm',
  package: 'a-linter',
  version: '1.0.0',
  homepage: 'https://linter.example/',
  tracker: 'https://tracker.example/',
  verdicts: [
    {
      feature: 'type-arrays',
      openapi: '3.1',
      verdict: 'wrong',
      cause: 'misread',
      date: '2026-11-23',
      seen: 'Null is refused.',
      issue: { repository: 'linter/linter', number: 7, title: 'Null is <refused>', date: '2026-11-25' },
      checks: [check],
    },
    {
      feature: 'item-schema',
      openapi: '3.2',
      verdict: 'right',
      date: '2026-11-22',
      seen: 'It reports a mistake.',
      checks: [reported],
    },
  ],
  notes: ['It has a `note`.'],
  earlier: [
    {
      version: '0.9.0',
      date: '2026-11-20',
      verdicts: [
        {
          feature: 'type-arrays',
          openapi: '3.1',
          verdict: 'ignored',
          date: '2026-11-20',
          seen: 'Null is refused.',
          checks: [hidden],
        },
      ],
    },
  ],
};

const viewer: ToolData = {
  ...linter,
  id: 'viewer',
  name: 'Viewer',
  kind: 'viewer',
  language: 'TypeScript',
  package: 'viewer',
  verdicts: [
    {
      feature: 'type-arrays',
      openapi: '3.1',
      verdict: 'partly',
      date: '2026-11-23',
      seen: 'Half of it.',
      reply: { date: '2026-11-24', url: 'https://tracker.example/1', words: 'The <other> half is next.', isOpen: true },
      checks: [{ ...check, observed: 'accepted', grade: 'right' }],
    },
    {
      feature: 'item-schema',
      openapi: '3.2',
      verdict: 'ignored',
      date: '2026-11-22',
      seen: 'Nothing is shown.',
      checks: [hidden],
    },
  ],
  notes: [],
  earlier: [],
};

export const exampleData: MapData = {
  date: '2026-11-23',
  commit: 'abc1234',
  environment: 'Linux x64, Bun 1.4.5',
  features: [nullable, streams],
  tools: [linter, viewer],
};

/** As many tools and features as the map may have, with a verdict in two of three cells. */
export const largeData = (tools = 80, features = 40): MapData => ({
  ...exampleData,
  features: Array.from({ length: features }, (_, index) => ({ ...nullable, id: `feature-${index}` })),
  tools: Array.from({ length: tools }, (_, index) => ({
    ...linter,
    id: `a-tool-with-a-name-${index}`,
    kind: kinds[index % kinds.length] ?? 'other',
    name: `a-tool-with-a-name-${index}`,
    verdicts: Array.from({ length: features }, (_, feature) => ({
      feature: `feature-${feature}`,
      openapi: '3.1' as const,
      verdict: verdictAt(index + feature),
      date: '2026-11-23',
      seen: 'Null is refused.',
      checks: [check],
    })).filter((_, feature) => (index + feature) % 3 > 0),
  })),
});

/** The largest kind has no more tools than a third. */
const kinds = ['generator', 'validator', 'viewer'] as const;

const verdictAt = (index: number): Verdict => verdicts[index % verdicts.length] ?? 'right';

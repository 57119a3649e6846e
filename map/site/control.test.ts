/** The pages of a tool that fails the control of a feature: no verdict, and the line of the control. */
import { expect, test } from 'bun:test';
import type { CheckResult } from '../measure/check.ts';
import type { MapData } from '../measure/data.ts';
import { exampleData } from './example-data.ts';
import { renderFeaturePage } from './feature-page.tsx';
import { renderToolPage } from './tool-page.tsx';

const check: CheckResult = {
  check: 'a server that is right',
  isBasic: true,
  command: 'test openapi.yaml',
  input: 'a server',
  expected: 'passes',
  observed: 'fails',
  line: 'it sends no list',
  grade: 'wrong',
};

const data: MapData = {
  ...exampleData,
  tools: exampleData.tools.map((tool) => ({
    ...tool,
    verdicts: tool.verdicts.filter(({ feature }) => feature !== 'type-arrays'),
    unasked: [
      {
        feature: 'type-arrays',
        openapi: '3.1',
        date: '2026-11-28',
        seen: 'It cannot be asked.',
        checks: [{ ...check, isUnasked: true, line: 'it sends no tuple' }],
        control: { name: '`nullable`', checks: [check] },
      },
    ],
  })),
};

test('the page of a tool has what it cannot be asked, with the line of the control, and no mark of a verdict', () => {
  const [tool] = data.tools;
  const page = tool ? renderToolPage(tool, data, { named: new Map(), url: '' }) : '';
  const [, section = ''] = page.split('id="unasked"');
  for (const text of [
    'It cannot be asked.',
    'The control: <code>nullable</code>',
    'it sends no list',
    'does not count',
  ])
    expect(section).toContain(text);
  expect(section).toContain('files/type-arrays/control.yaml');
  expect(section).toContain('id="type-arrays"');
});

test('the page of a feature names the tools that cannot be asked', () => {
  const [feature] = data.features;
  const page = feature ? renderFeaturePage(feature, data) : '';
  expect(page).toContain('href="../tools/a-linter.html#type-arrays"');
});

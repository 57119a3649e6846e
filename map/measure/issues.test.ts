/** The issues of trackers: each is beside a wrong verdict, and in a tracker of the owner of its tool. */
import { expect, test } from 'bun:test';
import { readMapData } from './data.ts';
import { type EnteredIssue, issueOn, issues } from './issues.ts';

const { tools } = await readMapData();

const problemsOf = (all: readonly EnteredIssue[]): string[] =>
  all.flatMap(({ tool: id, feature, repository, number, title, date }) => {
    const tool = tools.find((one) => one.id === id);
    // The tracker of another package of the same owner may have it.
    const [owner] = repository.split('/');
    const verdict = tool?.verdicts.find((one) => one.feature === feature)?.verdict;
    return [
      ...(verdict === 'wrong' ? [] : [`${id}, ${feature}: the verdict is ${verdict}`]),
      ...(tool?.tracker?.startsWith(`https://github.com/${owner}/`) ? [] : [`${id}: its tracker is ${tool?.tracker}`]),
      ...(number > 0 && title.trim() !== '' && /^\d{4}-\d\d-\d\d$/.test(date) ? [] : [`${id}, ${feature}: incomplete`]),
    ];
  });

test('each issue is in a tracker of the owner of its tool, and beside a wrong verdict', () => {
  expect(issues.length).toBeGreaterThan(5);
  expect(problemsOf(issues)).toEqual([]);
  const [issue] = issues;
  if (issue === undefined) throw new Error('There is no issue.');
  expect(problemsOf([{ ...issue, feature: 'absent', repository: 'a/b', title: ' ' }])).toHaveLength(3);
});

test('an issue is found by its tool and its feature', () => {
  expect(issueOn('spectral', 'prefix-items')).toMatchObject({ repository: 'stoplightio/spectral', number: 2646 });
  expect(issueOn('spectral', 'absent')).toBeUndefined();
});

/**
 * Issues in the trackers of tools that are about a wrong verdict. A person has searched for each, read it, and entered it in `issues.json` with
 * the day of the search.
 */
import all from './issues.json' with { type: 'json' };

export interface Issue {
  /** Its owner and its name on GitHub. */
  readonly repository: string;
  readonly number: number;
  readonly title: string;
  /** When it was looked up. */
  readonly date: string;
}

export interface EnteredIssue extends Issue {
  readonly tool: string;
  readonly feature: string;
}

export const issues: readonly EnteredIssue[] = all;

export const issueOn = (tool: string, feature: string, entered = issues): Issue | undefined => {
  const found = entered.find((one) => one.tool === tool && one.feature === feature);
  if (found === undefined) return undefined;
  const { repository, number, title, date } = found;
  return { repository, number, title, date };
};

export const urlOfIssue = ({ repository, number }: Pick<Issue, 'repository' | 'number'>): string =>
  `https://github.com/${repository}/issues/${number}`;

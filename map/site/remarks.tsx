/** What others say of a verdict: an author of the tool, and its tracker. */
import type { VerdictData } from '../measure/data.ts';
import { urlOfIssue } from '../measure/issues.ts';

export const Remarks = ({ verdict: { reply, issue } }: { readonly verdict: VerdictData }) => (
  <>
    {reply !== undefined && <AuthorReply reply={reply} />}
    {issue !== undefined && <TrackerIssue issue={issue} />}
  </>
);

const AuthorReply = ({
  reply: { date, url, words, isOpen },
}: {
  readonly reply: NonNullable<VerdictData['reply']>;
}) => (
  <p class="note">
    {isOpen && <b>Disputed. </b>}
    An author replied on <time datetime={date}>{date}</time>: <q>{words}</q> (<a href={url}>where</a>)
  </p>
);

const TrackerIssue = ({ issue }: { readonly issue: NonNullable<VerdictData['issue']> }) => (
  <p class="note">
    In its tracker:{' '}
    <a href={urlOfIssue(issue)}>
      {issue.repository}#{issue.number}
    </a>
    , <q>{issue.title}</q>, looked up on <time datetime={issue.date}>{issue.date}</time>
  </p>
);

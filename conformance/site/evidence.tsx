/** What was asked of a tool, and what it answered. */
import type { CheckResult, VerdictData } from '../map/data.ts';
import { Code } from './code.tsx';
import { count, Text } from './text.tsx';
import { gradeMeanings, isMeasured, signs } from './verdicts.ts';

/** `anchor` is an id inside the evidence, so that a link to it opens the evidence. */
export const Evidence = ({ verdict, anchor }: { readonly verdict: VerdictData; readonly anchor: string }) =>
  isMeasured(verdict) ? (
    <details class="evidence">
      <summary>
        Evidence: {count(verdict.checks.length, 'check')}, measured on <Day date={verdict.date} />
      </summary>
      <div id={anchor}>
        {verdict.checks.map((check) => (
          <Check key={check.check} check={check} />
        ))}
      </div>
    </details>
  ) : (
    <p class="evidence" id={anchor}>
      Observed by hand on <Day date={verdict.date} />.
    </p>
  );

const Day = ({ date }: { readonly date: string }) => <time datetime={date}>{date}</time>;

const Check = ({ check }: { readonly check: CheckResult }) => (
  <section class="check">
    <h4>
      <span class={`mark ${check.grade}`}>
        <span aria-hidden="true">{signs[check.grade]}</span> {check.grade}
      </span>{' '}
      <Text text={check.check} />
    </h4>
    <p class="note">
      {check.isBasic ? 'A basic check: a tool that ignores the feature passes it too. ' : ''}
      The answer is {gradeMeanings[check.grade]}.
    </p>
    <dl>
      <Fact name="Command" text={check.command} />
      <Fact name="Input" text={check.input} />
      <Fact name="Expected" text={check.expected} />
      <Fact name="Observed" text={check.observed} />
      <Fact name="The line that decides" text={check.line} />
    </dl>
  </section>
);

const Fact = ({ name, text = '' }: { readonly name: string; readonly text?: string | undefined }) =>
  text === '' ? null : (
    <div>
      <dt>{name}</dt>
      <dd>
        <Code text={text} />
      </dd>
    </div>
  );

/** What was asked of a tool, and what it answered. */

import type { CheckResult } from '../measure/check.ts';
import type { VerdictData } from '../measure/data.ts';
import { count, Text } from './text.tsx';
import { signs } from './verdicts.ts';

/** `anchor` is an id inside the evidence, so that a link to it opens the evidence. */
export const Evidence = ({ verdict, anchor }: { readonly verdict: VerdictData; readonly anchor: string }) => (
  <details class="evidence">
    <summary>
      Evidence: {count(verdict.checks.length, 'check')}, measured on <Day date={verdict.date} />
    </summary>
    <div id={anchor}>
      {verdict.checks.map((check, index) => (
        <Check key={check.check} check={check} isOther={check.command !== verdict.checks[index - 1]?.command} />
      ))}
      {verdict.checks.some(({ isBasic }) => isBasic) && (
        <p class="note">A basic check is one that a tool passes too which ignores the feature.</p>
      )}
    </div>
  </details>
);

const Day = ({ date }: { readonly date: string }) => <time datetime={date}>{date}</time>;

interface CheckProps {
  readonly check: CheckResult;
  /** Whether its command is another than that of the check before. */
  readonly isOther: boolean;
}

const Check = ({ check, isOther }: CheckProps) => (
  <section class="check">
    {isOther && check.command !== '' && (
      <p class="command">
        <code>{check.command}</code>
      </p>
    )}
    <h4>
      <span class={`mark ${check.grade}`}>
        <span aria-hidden="true">{signs[check.grade]}</span> {check.grade}
      </span>{' '}
      <Text text={check.check} /> {check.isBasic && <small>basic</small>}
    </h4>
    <dl>
      <Fact name="Input" text={check.input} />
      {check.expected === check.observed ? (
        <Fact name="As expected" text={check.observed} />
      ) : (
        <>
          <Fact name="Expected" text={check.expected} />
          <Fact name="Observed" text={check.observed} />
        </>
      )}
      <Fact name="Deciding line" text={check.line} />
    </dl>
  </section>
);

const Fact = ({ name, text = '' }: { readonly name: string; readonly text?: string | undefined }) =>
  text === '' ? null : (
    <div>
      <dt>{name}</dt>
      <dd>
        <code>{text}</code>
      </dd>
    </div>
  );

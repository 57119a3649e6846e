/** How verdicts look: never by colour alone, always with a sign and a word. */
import type { Verdict } from '../measure/data.ts';
import { type Counts, signs, verdicts, words } from './verdicts.ts';

export const Mark = ({ verdict }: { readonly verdict: Verdict }) => (
  <span class={`mark ${verdict}`}>
    <span aria-hidden="true">{signs[verdict]}</span> {words[verdict]}
  </span>
);

/** A bar of all verdicts, and below it their numbers. */
export const Bar = ({ counts }: { readonly counts: Counts }) => {
  const present = verdicts.filter((verdict) => counts[verdict] > 0);
  return (
    <span class="counts">
      <span class="bar" aria-hidden="true">
        {present.map((verdict) => (
          <span key={verdict} class={verdict} style={`flex-grow:${counts[verdict]}`} />
        ))}
      </span>
      <span class="numbers">
        {present.map((verdict) => (
          <span key={verdict} class={verdict}>
            <span aria-hidden="true">{signs[verdict]}</span> {counts[verdict]} <span>{words[verdict]}</span>{' '}
          </span>
        ))}
      </span>
    </span>
  );
};

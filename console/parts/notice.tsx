/** What went wrong, for everyone, also for users of screen readers. */
import type { ComponentChildren } from 'preact';
import { explain, type Problem } from '../api/problem.ts';
import { type Scope, useSession } from '../session.ts';

export const Notice = ({ problem }: { readonly problem: Problem | undefined }) =>
  problem ? (
    <p class="notice" role="alert">
      {explain(problem)}
    </p>
  ) : null;

/** In the place of what the token does not permit. While there is no valid token, the frame asks for one. */
export const NeedsScope = ({ scope, children }: { readonly scope: Scope; readonly children: ComponentChildren }) =>
  useSession().accepted ? (
    <p class="quiet">
      {children} A token with the scope <code>{scope}</code> is needed.
    </p>
  ) : null;

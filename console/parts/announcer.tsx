/** What has just been done, at the bottom of every view, for everyone, also for users of screen readers. */
import type { ComponentChildren } from 'preact';
import { createStore, useStore } from './store.ts';

const said = createStore({ text: '', count: 0 });

/** Says the text, also if it is the same as before. */
export const announce = (text: string): void => said.update(({ count }) => ({ text, count: count + 1 }));

export const Announcer = ({ children }: { readonly children?: ComponentChildren }) => {
  const { text, count } = useStore(said);
  // A screen reader reads the element out only if it was there before its text.
  return (
    <div class="announcer">
      <p role="status" aria-label="Last action">
        {text !== '' && <span key={count}>{text}</span>}
      </p>
      {children}
    </div>
  );
};

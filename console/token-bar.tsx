/** The field for the token, and what the service says about it. */
import type { TargetedEvent } from 'preact';
import { useState } from 'preact/hooks';
import { hint, savedToken, saveToken } from './api/token.ts';
import { Notice } from './parts/notice.tsx';
import { Text, Time } from './parts/text.tsx';
import { useSession } from './session.ts';

export const TokenBar = ({ onToken }: { readonly onToken: (token: string) => void }) => {
  const { token, accepted, problem } = useSession();
  const [text, setText] = useState(token);
  const [isKept, setKept] = useState(savedToken() !== undefined);
  const submit = (event: TargetedEvent<HTMLFormElement, Event>): void => {
    event.preventDefault();
    saveToken(text.trim(), isKept);
    onToken(text.trim());
  };
  return (
    <details class="token" open={accepted === undefined}>
      <summary>
        {accepted ? (
          <>
            Token <Text>{accepted.name}</Text>
          </>
        ) : (
          'Token'
        )}
      </summary>
      <form class="row" onSubmit={submit}>
        <label class="wide">
          Token <small id="token-hint">{hint}</small>
          <input
            type="password"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
            autocomplete="off"
            spellcheck={false}
            aria-describedby="token-hint"
          />
        </label>
        <button type="submit" class="first">
          Use the token
        </button>
        <label class="check">
          <input type="checkbox" checked={isKept} onChange={({ currentTarget }) => setKept(currentTarget.checked)} />
          Keep it in this tab until it is closed, also after a reload
        </label>
      </form>
      {accepted && (
        <p class="quiet">
          It has the scopes {accepted.scopes.join(', ') || 'none'}
          {accepted.expiresAt && (
            <>
              , and expires at <Time at={accepted.expiresAt} />
            </>
          )}
          .
        </p>
      )}
      <Notice problem={problem} />
    </details>
  );
};

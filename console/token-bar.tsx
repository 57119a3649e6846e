/** The field for the token, and what the service says about it. */
import type { TargetedEvent } from 'preact';
import { useState } from 'preact/hooks';
import { readToken } from './api/pasted-token.ts';
import { hint, type Keep, savedToken, saveToken } from './api/token.ts';
import { Notice } from './parts/notice.tsx';
import { permissions } from './parts/permissions.ts';
import { Text, Time } from './parts/text.tsx';
import { useSession } from './session.ts';

const places: Readonly<Record<Keep, string>> = {
  page: 'until this page is left',
  tab: 'in this tab, until it is closed',
  browser: 'in this browser, for all its tabs',
};

const isKeep = (text: string): text is Keep => Object.hasOwn(places, text);

export const TokenBar = ({ onToken }: { readonly onToken: (token: string) => void }) => {
  const { token, accepted, problem } = useSession();
  const [text, setText] = useState(token);
  const [keep, setKeep] = useState(() => savedToken().keep);
  const [isKept, setKept] = useState(true);
  const submit = (event: TargetedEvent<HTMLFormElement, Event>): void => {
    event.preventDefault();
    const entered = readToken(text);
    setText(entered);
    setKept(saveToken(entered, keep));
    onToken(entered);
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
        <label>
          Keep it
          <select value={keep} onChange={({ currentTarget: { value } }) => setKeep(isKeep(value) ? value : 'page')}>
            {Object.entries(places).map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" class="first">
          Use the token
        </button>
      </form>
      {!isKept && (
        <p class="notice" role="alert">
          This browser stores nothing for the page, so the token is kept until the page is left.
        </p>
      )}
      {accepted && (
        <p class="quiet">
          It may {permissions(accepted.scopes) || 'do nothing here'}
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

/**
 * The frame of the page: the token, and a tab for each view. A view that was opened stays, so that nothing typed in it is lost.
 * The charts of the health begin when the page opens.
 */
import type { FunctionComponent } from 'preact';
import { useEffect, useErrorBoundary, useRef, useState } from 'preact/hooks';
import { hasSourceText } from './api/json.ts';
import { Health } from './health/health.tsx';
import { Jobs } from './jobs/jobs.tsx';
import { Log } from './log/log.tsx';
import { Announcer } from './parts/announcer.tsx';
import { Help } from './parts/help.tsx';
import type { Place } from './parts/place.ts';
import { Questions } from './parts/question.tsx';
import { useStore } from './parts/store.ts';
import { usePlace } from './parts/use-place.ts';
import { setSingleKeys, singleKeys, useShortcuts } from './parts/use-shortcuts.ts';
import { Waiting } from './parts/waiting.tsx';
import { Plants } from './plants/plants.tsx';
import { Undo } from './plants/undo-button.tsx';
import { SessionContext, useNewSession } from './session.ts';
import { TokenBar } from './token-bar.tsx';
import { Webhooks } from './webhooks/webhooks.tsx';

interface ViewProps {
  /** Whether the user sees the view. */
  readonly isShown: boolean;
  readonly place: Place;
}

const views: Readonly<Record<string, { readonly title: string; readonly View: FunctionComponent<ViewProps> }>> = {
  plants: { title: 'Plants', View: Plants },
  log: { title: 'Log', View: Log },
  webhooks: { title: 'Webhooks', View: Webhooks },
  health: { title: 'Health', View: Health },
};

export const App = () => {
  const { session, setToken } = useNewSession();
  const place = usePlace();
  const isKnown = place.view === '' || Object.hasOwn(views, place.view);
  const current = isKnown && place.view !== '' ? place.view : 'plants';
  /** The latest place of each view that was opened. */
  const [places, setPlaces] = useState<Readonly<Record<string, Place>>>({ health: { ...place, query: '', trail: [] } });
  useEffect(() => setPlaces((before) => ({ ...before, [current]: place })), [place, current]);
  const shown = { ...places, [current]: place };
  const title = views[current]?.title ?? '';
  useEffect(() => {
    document.title = `${title} · Plant Store`;
  }, [title]);

  const [isHelping, setHelping] = useState(false);
  const areKeysOn = useStore(singleKeys);
  const main = useRef<HTMLElement>(null);
  useShortcuts({ help: () => setHelping(true), undo: () => void session.actions.undo() });
  const [failure] = useErrorBoundary();
  if (failure)
    return (
      <main>
        <p class="notice" role="alert">
          The console failed: {`${failure}`}. <a href="console">Load it again</a>
        </p>
      </main>
    );
  /** The fragment of the address is the place in the page. */
  const skip = {
    onClick: (event: Event): void => {
      event.preventDefault();
      main.current?.focus();
    },
  };
  return (
    <SessionContext.Provider value={session}>
      <a class="skip" href="#main" {...skip}>
        Skip to the content
      </a>
      <header>
        <h1>Plant Store</h1>
        <nav aria-label="Views">
          {Object.entries(views).map(([name, one]) => (
            <a key={name} href={hrefOf(name, shown[name])} aria-current={name === current ? 'page' : undefined}>
              {one.title}
            </a>
          ))}
        </nav>
        <nav class="pages" aria-label="Pages">
          <button type="button" class="link" onClick={() => setHelping(true)}>
            Keys
          </button>
          <a href="swagger">API reference</a>
          {document.body.dataset['inbox'] && <a href="inbox">Webhook inbox</a>}
          <a href="lessons">Lessons</a>
        </nav>
        <TokenBar onToken={setToken} />
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        {!hasSourceText() && <OldBrowser />}
        {!isKnown && (
          <p class="notice" role="alert">
            This address has no view. The plants are shown instead.
          </p>
        )}
        <Waiting />
        {Object.entries(views).map(([name, { title, View }]) => {
          const own = shown[name];
          return (
            own && (
              <section key={name} id={`view-${name}`} hidden={name !== current} aria-label={title}>
                <View isShown={name === current} place={own} />
              </section>
            )
          );
        })}
      </main>
      <footer>
        <Jobs />
        <Announcer>
          <Undo />
        </Announcer>
      </footer>
      <Questions />
      {isHelping && <Help isOn={areKeysOn} onChange={setSingleKeys} onClose={() => setHelping(false)} />}
    </SessionContext.Provider>
  );
};

const hrefOf = (name: string, place: Place | undefined): string => `#${name}${place?.query ? `?${place.query}` : ''}`;

const OldBrowser = () => (
  <p class="notice" role="alert">
    This browser cannot read ids beyond 9007199254740992 exactly. Plants with such an id are shown with about their id,
    and cannot be changed here. A newer version of the browser can read them.
  </p>
);

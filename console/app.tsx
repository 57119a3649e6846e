/**
 * The frame of the page: the token, and a tab for each view. A view that was opened stays, so that nothing typed in it is lost.
 * The charts of the health begin when the page opens.
 */
import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Health } from './health/health.tsx';
import { Log } from './log/log.tsx';
import { Plants } from './plants/plants.tsx';
import { SessionContext, useNewSession } from './session.ts';
import { TokenBar } from './token-bar.tsx';
import { Webhooks } from './webhooks/webhooks.tsx';

interface ViewProps {
  /** Whether the user sees the view. */
  readonly isShown: boolean;
}

const views: Readonly<Record<string, { readonly title: string; readonly View: FunctionComponent<ViewProps> }>> = {
  plants: { title: 'Plants', View: Plants },
  log: { title: 'Log', View: Log },
  webhooks: { title: 'Webhooks', View: Webhooks },
  health: { title: 'Health', View: Health },
};

const viewInUrl = (): string => {
  const name = location.hash.slice(1);
  return Object.hasOwn(views, name) ? name : 'plants';
};

export const App = () => {
  const { session, setToken } = useNewSession();
  const [current, setCurrent] = useState(viewInUrl);
  const [opened, setOpened] = useState<readonly string[]>([...new Set([current, 'health'])]);
  useEffect(() => {
    const onChange = (): void => {
      const name = viewInUrl();
      setCurrent(name);
      setOpened((before) => (before.includes(name) ? before : [...before, name]));
    };
    addEventListener('hashchange', onChange);
    return () => removeEventListener('hashchange', onChange);
  }, []);
  return (
    <SessionContext.Provider value={session}>
      <header>
        <h1>Plant Store</h1>
        <nav aria-label="Views">
          {Object.entries(views).map(([name, { title }]) => (
            <a key={name} href={`#${name}`} aria-current={name === current ? 'page' : undefined}>
              {title}
            </a>
          ))}
        </nav>
        <nav class="pages" aria-label="Pages">
          <a href="swagger">API reference</a>
          {document.body.dataset['inbox'] && <a href="inbox">Webhook inbox</a>}
        </nav>
        <TokenBar onToken={setToken} />
      </header>
      <main>
        {opened.map((name) => {
          const { title, View } = views[name] ?? {};
          return (
            View && (
              <section key={name} id={`view-${name}`} hidden={name !== current} aria-label={title}>
                <View isShown={name === current} />
              </section>
            )
          );
        })}
      </main>
    </SessionContext.Provider>
  );
};

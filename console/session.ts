/** The token of the page, what it permits, and what all views share for it. */
import { createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import type { Api, Data } from './api/api.ts';
import { connect, expect, pause } from './api/client.ts';
import { isToken } from './api/pasted-token.ts';
import { asProblem, Problem } from './api/problem.ts';
import { savedToken } from './api/token.ts';
import { importFile } from './files/import-file.ts';
import { createFeed, type Feed } from './live/feed.ts';
import { readPosition } from './live/follow.ts';
import { createPictures, type Pictures } from './pictures/pictures.ts';
import { createActions, type PlantActions } from './plants/actions.ts';

type Token = Data<Api['token']['get']>;
export type Scope = Token['scopes'][number];

export interface Session {
  readonly token: string;
  readonly api: Api;
  /** Undefined until the service has accepted the token. */
  readonly accepted: Token | undefined;
  readonly problem: Problem | undefined;
  readonly actions: PlantActions;
  readonly pictures: Pictures;
  /** Undefined without a token that may read plants. */
  readonly feed: Feed | undefined;
  can(scope: Scope): boolean;
}

interface Asked {
  readonly token: string;
  readonly accepted?: Token;
  /** The id of the newest event, read before the views read anything. */
  readonly position?: string | undefined;
  readonly problem?: Problem;
}

export const useNewSession = () => {
  const [token, setToken] = useState(() => savedToken().token);
  const [asked, setAsked] = useState<Asked>({ token: '' });
  const api = useMemo(() => connect(token), [token]);
  const pictures = useMemo(() => createPictures(token), [token]);
  const actions = useMemo(
    () =>
      createActions(api, pictures, async (lines) => {
        const result = await importFile(token, lines, 'NDJSON', { isUpdate: false, isDryRun: false });
        return result.rejectedRows;
      }),
    [api, token, pictures],
  );

  useEffect(() => {
    if (token === '') return;
    const controller = new AbortController();
    const { signal } = controller;
    const ask = async (): Promise<void> => {
      while (!signal.aborted) {
        try {
          if (!isToken(token)) throw new Problem({ status: 401 });
          const { data: accepted } = await expect(api.token.get());
          const position = accepted.scopes.includes('plants:read') ? await readPosition(token) : undefined;
          if (!signal.aborted) setAsked({ token, accepted, position });
          return;
        } catch (error) {
          const problem = asProblem(error);
          if (signal.aborted) return;
          setAsked({ token, problem });
          if (problem.status !== 0 && !problem.isTemporary) return;
          await pause(retryMs, signal);
        }
      }
    };
    void ask();
    return () => controller.abort();
  }, [api, token]);

  const { accepted, position, problem } = asked.token === token ? asked : {};
  const can = (scope: Scope): boolean => accepted?.scopes.includes(scope) ?? false;
  const feed = useFeed(api, token, can('plants:read'), position);
  const session = useMemo(
    (): Session => ({ token, api, accepted, problem, actions, pictures, feed, can }),
    [token, api, accepted, problem, actions, pictures, feed],
  );
  return { session, setToken };
};

const useFeed = (api: Api, token: string, canFollow: boolean, after: string | undefined): Feed | undefined => {
  const [feed, setFeed] = useState<Feed>();
  useEffect(() => {
    if (!canFollow) return;
    const own = createFeed({ api, token, after });
    setFeed(own);
    return () => {
      own.close();
      setFeed(undefined);
    };
  }, [api, token, canFollow, after]);
  return feed;
};

const retryMs = 3000;

export const SessionContext = createContext<Session | undefined>(undefined);

export const useSession = (): Session => {
  const session = useContext(SessionContext);
  if (!session) throw new Error('There is no session.');
  return session;
};

/** The token of the page, and what it permits. Every view has the same session. */
import { createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import type { Api, Data } from './api/api.ts';
import { connect, expect } from './api/client.ts';
import { asProblem, Problem } from './api/problem.ts';
import { firstToken, isToken } from './api/token.ts';

type Token = Data<Api['token']['get']>;
export type Scope = Token['scopes'][number];

export interface Session {
  readonly token: string;
  readonly api: Api;
  /** Undefined until the service has accepted the token. */
  readonly accepted: Token | undefined;
  readonly problem: Problem | undefined;
  can(scope: Scope): boolean;
}

interface Asked {
  readonly token: string;
  readonly accepted?: Token;
  readonly problem?: Problem;
}

export const useNewSession = () => {
  const [token, setToken] = useState(firstToken);
  const [asked, setAsked] = useState<Asked>({ token: '' });
  const api = useMemo(() => connect(token), [token]);

  useEffect(() => {
    if (token === '') return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isCurrent = true;
    const ask = async (): Promise<void> => {
      try {
        if (!isToken(token)) throw new Problem({ status: 401 });
        const { data: accepted } = await expect(api.token.get());
        if (isCurrent) setAsked({ token, accepted });
      } catch (error) {
        const problem = asProblem(error);
        if (!isCurrent) return;
        setAsked({ token, problem });
        if (problem.status === 0 || problem.isTemporary) timer = setTimeout(ask, retryMs);
      }
    };
    void ask();
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [api, token]);

  const { accepted, problem } = asked.token === token ? asked : {};
  const session = useMemo(
    (): Session => ({
      token,
      api,
      accepted,
      problem,
      can: (scope) => accepted?.scopes.includes(scope) ?? false,
    }),
    [token, api, accepted, problem],
  );
  return { session, setToken };
};

const retryMs = 3000;

export const SessionContext = createContext<Session | undefined>(undefined);

export const useSession = (): Session => {
  const session = useContext(SessionContext);
  if (!session) throw new Error('There is no session.');
  return session;
};

/** What a view waits for: an action of the user, or data that it loads. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { asProblem, type Problem } from '../api/problem.ts';

/** Runs one action at a time, and keeps the problem of the last one. */
export const useTask = () => {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const run = useCallback(async (action: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      await action();
    } catch (error) {
      setProblem(asProblem(error));
    } finally {
      setBusy(false);
    }
  }, []);
  return { isBusy, problem, run, clear: useCallback(() => setProblem(undefined), []) };
};

/**
 * Loads data when `load` changes, and at each call of `reload`. The data before stay until the new ones are here, and when they cannot be
 * loaded. Without `load`, nothing is loaded.
 */
export const useLoaded = <Value>(load: (() => Promise<Value>) | undefined) => {
  const [value, setValue] = useState<Value>();
  const [problem, setProblem] = useState<Problem>();
  const latest = useRef(0);
  const reload = useCallback(async (): Promise<void> => {
    if (!load) return;
    latest.current += 1;
    const own = latest.current;
    try {
      const loaded = await load();
      if (own !== latest.current) return;
      setValue(() => loaded);
      setProblem(undefined);
    } catch (error) {
      if (own === latest.current) setProblem(asProblem(error));
    }
  }, [load]);
  useEffect(() => void reload(), [reload]);
  return { value, problem, reload };
};

/** Calls the function at this interval, while the page is visible. */
export const useInterval = (run: (() => unknown) | undefined, everyMs: number): void => {
  useEffect(() => {
    if (!run) return;
    const timer = setInterval(() => {
      if (!document.hidden) run();
    }, everyMs);
    return () => clearInterval(timer);
  }, [run, everyMs]);
};

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

interface Loaded<Value> {
  readonly value: Value;
  /** The function that has loaded the value. */
  readonly by: () => Promise<Value>;
}

/**
 * Loads data when `load` changes, and at each call of `reload`. The data before stay until the new ones are here, and when they cannot be
 * loaded. Without `load`, nothing is loaded. `isLoading` is also true while the data are those of another `load`.
 */
export const useLoaded = <Value>(load: (() => Promise<Value>) | undefined) => {
  const [loaded, setLoaded] = useState<Loaded<Value>>();
  const [problem, setProblem] = useState<Problem>();
  const [count, setCount] = useState(0);
  const latest = useRef(0);
  const reload = useCallback(async (): Promise<void> => {
    if (!load) return;
    latest.current += 1;
    const own = latest.current;
    setCount((before) => before + 1);
    try {
      const value = await load();
      if (own !== latest.current) return;
      setLoaded({ value, by: load });
      setProblem(undefined);
    } catch (error) {
      if (own === latest.current) setProblem(asProblem(error));
    } finally {
      setCount((before) => before - 1);
    }
  }, [load]);
  useEffect(() => void reload(), [reload]);
  const isCurrent = loaded?.by === load;
  return { value: loaded?.value, isCurrent, isLoading: count > 0, problem, reload };
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

/** The kept events that were read so far, of all plants or of one, and those that have arrived since. The newest is first. */
import { useCallback, useState } from 'preact/hooks';
import type { Api } from '../api/api.ts';
import { useTask } from '../parts/task.ts';
import { addEntries, type Entry, toEntry } from './entry.ts';
import { readHistory } from './history.ts';

export const useHistory = (api: Api, plant?: string) => {
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const [older, setOlder] = useState<string>();
  const { isBusy, problem, run } = useTask();
  const add = useCallback((added: readonly Entry[]): void => setEntries((before) => addEntries(before, added)), []);
  /** Adds the events before the cursor; the newest ones without it. */
  const read = useCallback(
    (after?: string): Promise<void> =>
      run(async () => {
        const page = await readHistory(api, { plant, after });
        add(page.events.map(toEntry));
        setOlder(page.older);
      }),
    [api, plant, run, add],
  );
  const readOlder = older === undefined ? undefined : () => void read(older);
  return { entries, add, read, readOlder, isReading: isBusy, problem };
};

/** Undoes what was done last, in every view. */
import { useState } from 'preact/hooks';
import { useStore } from '../parts/store.ts';
import { useSession } from '../session.ts';

export const Undo = () => {
  const { actions } = useSession();
  const [isBusy, setBusy] = useState(false);
  const last = useStore(actions.done).at(-1);
  if (!last) return null;
  const undo = async (): Promise<void> => {
    setBusy(true);
    await actions.undo().finally(() => setBusy(false));
  };
  return (
    <button type="button" aria-label={`Undo ${last.title}`} disabled={isBusy} onClick={() => void undo()}>
      Undo
    </button>
  );
};

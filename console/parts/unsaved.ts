/** What the user has typed and not saved, or not seen yet. The browser asks before it leaves the page. */
import { useEffect } from 'preact/hooks';

const unsaved = new Set<symbol>();

export const useUnsaved = (isUnsaved: boolean): void => {
  useEffect(() => {
    if (!isUnsaved) return;
    const own = Symbol('unsaved');
    unsaved.add(own);
    return () => void unsaved.delete(own);
  }, [isUnsaved]);
};

addEventListener('beforeunload', (event) => {
  if (unsaved.size > 0) event.preventDefault();
});

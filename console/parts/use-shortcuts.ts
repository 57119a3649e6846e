import { useEffect } from 'preact/hooks';
import { readStored, store } from '../api/storage.ts';
import { type Command, commandOf } from './shortcuts.ts';
import { createStore } from './store.ts';

const key = 'plant-store-keys';

/** Whether single keys work, which the user can switch off: speech input and accidents press them too. */
export const singleKeys = createStore(readStored('localStorage', key) !== 'off');

export const setSingleKeys = (isOn: boolean): void => {
  store('localStorage', key, isOn ? undefined : 'off');
  singleKeys.update(() => isOn);
};

/** Runs what belongs to a key, while `isActive`, and no field or dialog has the focus. */
export const useShortcuts = (run: Partial<Record<Command, () => void>>, isActive = true): void => {
  useEffect(() => {
    if (!isActive) return;
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
      const command = commandOf(event, isField(event.target), singleKeys.get());
      const action = command && run[command];
      if (!action) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });
};

const isField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.matches('input:not([type="checkbox"], [type="radio"]), select, textarea');

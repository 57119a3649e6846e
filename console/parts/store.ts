/** A value that several components show, and that code outside of them changes. */
import { useEffect, useState } from 'preact/hooks';

export interface Store<Value> {
  get(): Value;
  /** Gets the value before, and returns the new one. */
  update(change: (before: Value) => Value): void;
  /** Returns what ends the subscription. */
  subscribe(listener: () => void): () => void;
}

export const createStore = <Value>(initial: Value): Store<Value> => {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    update: (change) => {
      value = change(value);
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

export const useStore = <Value>(store: Store<Value>): Value => {
  const [value, setValue] = useState(store.get);
  useEffect(() => {
    const show = (): void => setValue(store.get);
    show();
    return store.subscribe(show);
  }, [store]);
  return value;
};

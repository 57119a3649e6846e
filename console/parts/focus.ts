import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Returns the reference of an element that gets the focus when it is shown, and each time that `key` changes. An effect that waits for the next
 * frame would take the focus from a field where the user already types.
 */
export const useFocus = <Shown extends HTMLElement>(key?: unknown) => {
  const element = useRef<Shown>(null);
  useLayoutEffect(() => element.current?.focus(), [key]);
  return element;
};

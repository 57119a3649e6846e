/** Keys that work in the whole page, unless a field has the focus. */

export type Command = 'search' | 'new' | 'help' | 'undo' | 'rows';

export interface PressedKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

export const keys: readonly (readonly [key: string, effect: string])[] = [
  ['/', 'Search'],
  ['n', 'New plant'],
  ['↓', 'To the rows; then between them with ↑ and ↓, and within one with ← and →'],
  ['Enter or e', 'Edit the row; Tab to the next field, Enter saves, Escape restores'],
  ['x', 'Select the row'],
  ['Delete', 'Delete the plant'],
  ['u', 'Undo'],
  ['?', 'This help'],
];

/** `isInField` is whether the key is for a field, and `isOn` whether the user wants single keys. */
export const commandOf = (pressed: PressedKey, isInField: boolean, isOn: boolean): Command | undefined => {
  const { key, ctrlKey, metaKey, altKey } = pressed;
  if (isInField || altKey) return undefined;
  if (ctrlKey || metaKey) return key === 'z' ? 'undo' : undefined;
  return isOn && Object.hasOwn(commands, key) ? commands[key] : undefined;
};

const commands: Readonly<Record<string, Command>> = {
  '/': 'search',
  n: 'new',
  '?': 'help',
  u: 'undo',
  ArrowDown: 'rows',
};

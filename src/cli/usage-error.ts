/** Errors on stderr, without the secrets that an argument may have. */
import { styleText } from 'node:util';
import { isPath } from '../base/path.ts';
import { escapeAllButLineEnds, escapeControls } from '../base/printable.ts';

/** The text of an error of the command line, which begins with `error:`. Of the arguments, it repeats only those that can be paths. */
export const usageErrorOf = (text: string, args: readonly string[]): string => {
  const message = args
    .flatMap((arg) => [arg, valueIn(arg)])
    // One may contain another.
    .sort((one, other) => other.length - one.length)
    .reduce(
      (shown, arg) => shown.replaceAll(arg.trim() === '' ? `'${arg}'` : arg, show(arg)),
      text.replace(/^error: /, ''),
    );
  return `${errorPrefix()} ${escapeAllButLineEnds(hideTokens(message))}`;
};

/** The argument of an option in one word with it. */
const valueIn = (arg: string): string => arg.replace(/^--[\w-]+=/, '');

/** On one line. The value of an option is hidden whatever it is, since the name may be misspelt. */
const show = (arg: string): string => {
  if (!isPath(arg)) return `${arg.slice(0, arg.length - valueIn(arg).length)}…`;
  return arg.trim() === '' ? `'${escapeControls(arg)}'` : escapeControls(arg);
};

export const hideTokens = (text: string): string => text.replaceAll(/\b(whsec_|plant_(?=\w{36}\b))[\w+/=-]+/g, '$1…');

/** Red on a terminal, unless NO_COLOR is set. */
export const errorPrefix = (): string => styleText('red', 'plant-store:', { stream: process.stderr });

/** Follows a page as its reader does: pastes its commands into a terminal, and compares what that shows with the output on the page. */
import { expect } from 'bun:test';
import type { Step } from '../../../docs/pages/session.ts';
import type { Terminal } from './terminal.ts';

/** Rejects if a command fails, or the terminal does not show the output in time. */
export const follow = async (
  terminal: Terminal,
  kind: Step['kind'],
  text: string,
  waitMsMax: number,
): Promise<void> => {
  const expected = comparable(text);
  if (kind === 'commands' && isLasting(text)) terminal.start(text);
  else if (kind === 'commands') expect(await terminal.run(text, waitMsMax), text).toBe(true);
  else if (terminal.isIdle()) expect(comparable(terminal.shown())).toBe(expected);
  else await terminal.waitFor((shown) => comparable(shown).includes(expected), waitMsMax);
};

/** The commands that run until Ctrl-C. */
const isLasting = (commands: string): boolean => /run dev\n$|listen --port|curl -sSN/.test(commands);

/** Without times, and without the random part of the ids of events. */
const comparable = (text: string): string =>
  text
    .trim()
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/\b(evt_\d+)_[\w-]{16}(?![\w-])/g, '$1');

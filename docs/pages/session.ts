/** The commands of a page that a reader pastes into terminals, the output that the page shows, and the edits of a file, in order. */

export interface Step {
  /** The terminal that the page names last before the block, as in `**Terminal 2.**`. */
  readonly terminal: number;
  readonly kind: 'commands' | 'output' | 'edit';
  /** The text of the block, with a line end after its last line. */
  readonly text: string;
}

/**
 * Blocks marked `sh` have commands, those marked `text` or `json` have output, and those marked `diff` an edit. A block marked `bash` is not
 * a step, such as the command of the tests, which CI runs. Throws when no terminal is given, and the page names none before the first block.
 */
export const stepsOf = (page: string, first?: number): Step[] => {
  let terminal = first;
  const steps: Step[] = [];
  for (const [, language, text = '', named] of page.matchAll(blockOrTerminal)) {
    const kind = kinds[language ?? ''];
    if (named !== undefined) terminal = Number(named);
    if (kind === undefined) continue;
    if (terminal === undefined) throw new Error(`No terminal is named before ${text}`);
    steps.push({ terminal, kind, text });
  }
  return steps;
};

const blockOrTerminal = /^```(\w+)\n([\s\S]*?)^```$|\*\*Terminal (\d)/gm;

const kinds: Readonly<Record<string, Step['kind']>> = {
  sh: 'commands',
  text: 'output',
  json: 'output',
  diff: 'edit',
};

/** The commands of a page that a reader pastes into terminals, and the output that the page shows, in order. */

export interface Step {
  /** The terminal that the page names last before the block, as in `**Terminal 2.**`. */
  readonly terminal: number;
  readonly kind: 'commands' | 'output';
  /** The text of the block, with a line end after its last line. */
  readonly text: string;
}

/** Blocks marked `sh` have commands, and those marked `text` or `json` have output. Throws when a page names no terminal before the first one. */
export const stepsOf = (page: string): Step[] => {
  let terminal: number | undefined;
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

const kinds: Readonly<Record<string, Step['kind']>> = { sh: 'commands', text: 'output', json: 'output' };

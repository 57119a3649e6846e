/** The files of the documentation that are made from the program and the README, by their paths from the root. */
import { renderArchitecture } from './architecture.ts';
import { renderCommandLine } from './command-line.ts';
import { renderLimits } from './limits.ts';
import { renderMetrics } from './metrics.ts';
import { renderSettings } from './settings.ts';
import { renderTerminal } from './terminal.ts';

export const pages: Readonly<Record<string, () => string | Promise<string>>> = {
  'docs/architecture.md': renderArchitecture,
  'docs/command-line.md': renderCommandLine,
  'docs/limits.md': renderLimits,
  'docs/metrics.md': renderMetrics,
  'docs/settings.md': renderSettings,
  'docs/terminal.svg': renderTerminal,
};

/** The settings of the environment in help texts. */
import type { Command } from 'commander';
import { type Setting, settings } from '../settings.ts';

/** Where an option that is absent takes its value from. */
export const defaultOf = ({ name, default: text }: Setting): string => `(default: ${name}, or ${text})`;

/** Adds the settings that have no flag to the help of a command, in its width and style. */
export const addSettings = (command: Command): Command =>
  command.addHelpText('after', ({ error }) => {
    const helper = command.createHelp();
    const { getOutHelpWidth, getErrHelpWidth } = command.configureOutput();
    helper.prepareContext({ error, helpWidth: (error ? getErrHelpWidth : getOutHelpWidth)?.() ?? pipeColumns });
    const withoutFlag = Object.values<Setting>(settings).filter(({ flag }) => flag === undefined);
    const width = Math.max(...withoutFlag.map(({ name }) => name.length));
    const items = withoutFlag.map((setting) =>
      helper.formatItem(helper.styleOptionTerm(setting.name), width, describe(setting), helper),
    );
    return ['', helper.styleTitle('Settings (environment variables):'), ...items].join('\n');
  });

/** The width of a help text in a pipe, as commander has it. */
const pipeColumns = 80;

const describe = ({ meaning, default: text }: Setting): string =>
  `${plain(meaning)}${text === '' ? '' : ` (default: ${text})`}`;

/** The text of Markdown, without links and code spans. */
const plain = (markdown: string): string => markdown.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll('`', '');

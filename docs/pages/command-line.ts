/** docs/command-line.md, from the help of each command. */
import type { Command, Help, Option } from 'commander';
import { createContext } from '../../src/cli/context.ts';
import { createProgram } from '../../src/cli/program.ts';
import { code, escapeHtml, item, paragraph } from './markdown.ts';

export const renderCommandLine = async (): Promise<string> => {
  const program = await createProgram(createContext());
  const help = program.createHelp();
  const commands = leavesOf(program, help);
  const withoutDatabase = commands.filter((command) => !help.visibleOptions(command).some(isDatabase));
  const databaseItems = optionItems(
    commands.flatMap((command) => help.visibleOptions(command)).filter(isDatabase),
    help,
  );
  return `# The command line

\`plant-store <command> <arguments> [options]\`, or \`bun src/main.ts …\` in a checkout. \`--help\` prints the same as this page. Data goes to
stdout, and messages go to stderr. The exit code is 0 for success, 1 for a failure, and 2 for wrong usage. Most options have a
[setting](settings.md) too.

All commands but ${listOf(withoutDatabase.map(nameOf))} have this option:

${[...new Set(databaseItems)].join('\n')}

${commands.map((command) => sectionOf(command, help)).join('\n\n')}
`;
};

/** The option of every command that uses a database, which the page describes once. */
const isDatabase = ({ long }: Option): boolean => long === '--database';

const listOf = (names: readonly string[]): string => new Intl.ListFormat('en-GB').format(names.map(code));

/** A command that only groups others is not shown. */
const leavesOf = (command: Command, help: Help): Command[] => {
  const subcommands = help.visibleCommands(command).filter((one) => one.name() !== 'help');
  return subcommands.length === 0 ? [command] : subcommands.flatMap((one) => leavesOf(one, help));
};

/** Without the name of the program. */
const nameOf = (command: Command): string =>
  command.parent?.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();

const sectionOf = (command: Command, help: Help): string => {
  const items = [
    ...help
      .visibleArguments(command)
      .map((one) => itemOf(`<${help.argumentTerm(one)}>`, help.argumentDescription(one))),
    ...optionItems(
      help.visibleOptions(command).filter((one) => one.long !== '--help' && !isDatabase(one)),
      help,
    ),
  ];
  return [
    `## ${nameOf(command)}`,
    paragraph(sentenceOf(escapeHtml(command.description()))),
    ...(items.length === 0 ? [] : [items.join('\n')]),
  ].join('\n\n');
};

const optionItems = (options: readonly Option[], help: Help): string[] =>
  options.map((one) => itemOf(help.optionTerm(one), help.optionDescription(one)));

const itemOf = (term: string, text: string): string => item(`${code(term)}: ${escapeHtml(text)}`);

const sentenceOf = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;

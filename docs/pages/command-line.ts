/** docs/command-line.md, from the help of each command. */
import type { Command, Help } from 'commander';
import { createProgram } from '../../src/cli/program.ts';
import { code, escapeHtml, table } from './markdown.ts';

export const renderCommandLine = async (): Promise<string> => {
  const program = await createProgram();
  const help = program.createHelp();
  const commands = leavesOf(program, help);
  return `# The command line

\`plant-store <command>\`, or \`bun src/main.ts <command>\` in a checkout. \`plant-store <command> --help\` prints what this page has.

Data goes to stdout, and messages go to stderr. The exit code is 0 for success, 1 for a failure, and 2 for wrong usage. Most options have a
[setting](settings.md) in the environment too.

${table(
  ['command', 'what it does'],
  commands.map((command) => [`[${nameOf(command)}](#${nameOf(command).replaceAll(' ', '-')})`, descriptionOf(command)]),
)}

${commands.map((command) => sectionOf(command, help)).join('\n\n')}
`;
};

/** A command that only groups others is not shown. */
const leavesOf = (command: Command, help: Help): Command[] => {
  const subcommands = help.visibleCommands(command).filter((one) => one.name() !== 'help');
  return subcommands.length === 0 ? [command] : subcommands.flatMap((one) => leavesOf(one, help));
};

/** Without the name of the program. */
const nameOf = (command: Command): string =>
  command.parent?.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();

const descriptionOf = (command: Command): string => escapeHtml(command.description());

const sectionOf = (command: Command, help: Help): string => {
  const rows = [
    ...help.visibleArguments(command).map((one) => [help.argumentTerm(one), help.argumentDescription(one)] as const),
    ...help
      .visibleOptions(command)
      .filter(({ long }) => long !== '--help')
      .map((one) => [help.optionTerm(one), help.optionDescription(one)] as const),
  ];
  return [
    `## ${nameOf(command)}`,
    `\`\`\`sh\n${help.commandUsage(command)}\n\`\`\``,
    `${sentenceOf(descriptionOf(command))}`,
    ...(rows.length === 0
      ? []
      : [
          table(
            ['argument or option', 'meaning'],
            rows.map(([term, text]) => [code(term), escapeHtml(text)]),
          ),
        ]),
  ].join('\n\n');
};

const sentenceOf = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;

/**
 * Completion in shells. The script of a shell runs `plant-store complete` with the words up to the cursor, and inserts what it
 * prints. So the scripts do not change when a command does.
 */
import { Argument, type Command, type Option } from 'commander';
import bash from './completion/plant-store.bash' with { type: 'text' };
import fish from './completion/plant-store.fish' with { type: 'text' };
import zsh from './completion/plant-store.zsh' with { type: 'text' };
import { printText } from './output.ts';

const scripts = { bash, zsh, fish };

export const addCompletion = (program: Command): void => {
  program
    .command('completion')
    .description('print the script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'shell that reads the script').choices(Object.keys(scripts)))
    .addHelpText('after', installation)
    .action((shell: keyof typeof scripts) => printText(scripts[shell].trim()));
};

const installation = `
Load it when the shell starts:
  bash  echo 'source <(plant-store completion bash)' >> ~/.bashrc
  zsh   echo 'source <(plant-store completion zsh)' >> ~/.zshrc       (after compinit)
  fish  plant-store completion fish > ~/.config/fish/completions/plant-store.fish`;

/** The line that makes the shell complete file names. */
const files = [':files'];

/** What can replace the last word, which may be empty: lines of a word, or of a word, a tab and its description. */
export const complete = (program: Command, words: readonly string[]): readonly string[] => {
  const { command, option, rest } = walk(program, words.slice(0, -1));
  const word = words.at(-1) ?? '';
  const [, flag, value] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? [];
  if (option) return valuesOf(option, word, '');
  if (flag !== undefined) return valuesOf(findOption(command, flag), value ?? '', `${flag}=`);
  if (word.startsWith('-')) return flagsOf(command).filter((line) => line.startsWith(word));
  const subcommands = command.createHelp().visibleCommands(command);
  if (subcommands.length > 0)
    return subcommands.map((one) => `${one.name()}\t${one.description()}`).filter((line) => line.startsWith(word));
  return valuesOf(command.registeredArguments[rest], word, '');
};

/** The command of these words, the option whose value the next word is, and the number of arguments so far. */
const walk = (program: Command, words: readonly string[]) => {
  let command = program;
  let option: Option | undefined;
  let rest = 0;
  for (const word of words) {
    const subcommand = command.commands.find((one) => one.name() === word);
    if (option) option = undefined;
    else if (word.startsWith('-')) option = takesValue(findOption(command, word));
    else if (subcommand) command = subcommand;
    else rest += 1;
  }
  return { command, option, rest };
};

const findOption = (command: Command, flag: string): Option | undefined =>
  command.options.find(({ long, short }) => flag === long || flag === short);

const takesValue = (option: Option | undefined): Option | undefined =>
  option?.required || option?.optional ? option : undefined;

/** The choices of an option or an argument, else files where its name says so. */
const valuesOf = (of: Option | Argument | undefined, word: string, prefix: string): readonly string[] => {
  if (of?.argChoices)
    return of.argChoices.filter((choice) => choice.startsWith(word)).map((choice) => `${prefix}${choice}`);
  return of && namesFile.test('flags' in of ? of.flags : `<${of.name()}>`) && prefix === '' ? files : [];
};

const namesFile = /<(?:file|database|from|to)>/;

const flagsOf = (command: Command): readonly string[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long, description }) => (long ? [`${long}\t${description}`] : []));

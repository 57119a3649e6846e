/** The completions of the program, and their insertion by bash, zsh and fish. CI installs zsh and fish. */
import { expect, test } from 'bun:test';
import { complete } from '../../src/cli/completion.ts';
import { createProgram } from '../../src/cli/program.ts';
import { runProgram } from '../support/process.ts';
import { createShellHome, type Shell, typeInto } from '../support/shell.ts';

const program = await createProgram();
const description = program.commands.find((command) => command.name() === 'completion')?.description();

test.each<[string[], string[]]>([
  [['he'], ['health', 'help']],
  [
    ['token', ''],
    ['create', 'list', 'revoke', 'help'],
  ],
  [
    ['serve', '--demo'],
    ['--demo', '--demo-anywhere'],
  ],
  [['token', 'create', '--name', 'list', '--s'], ['--scope']],
  [
    ['export', '--format', ''],
    ['ndjson', 'csv'],
  ],
  [['import', '--on-conflict=re'], ['--on-conflict=replace']],
  [['import', '--on-conflict=re', '--pa'], ['--partial']],
  [['completion', 'f'], ['fish']],
  [['import', 'plants'], [':files']],
  [['serve', '--database', 'data/'], [':files']],
  [['copy', 'a.sqlite', ''], [':files']],
  [['copy', 'a.sqlite', 'b.sqlite', ''], []],
  [['serve', '--port', ''], []],
  [['serve', '--no-such'], []],
])('after the words %j the program offers %j', (words, expected) => {
  expect(complete(program, words).map((line) => line.replace(/\t.*/, ''))).toEqual(expected);
});

test('the program offers each command with its description', () => {
  expect(complete(program, [''])).toEqual(
    expect.arrayContaining(program.commands.map((command) => `${command.name()}\t${command.description()}`)),
  );
  expect(program.commands.length).toBeGreaterThan(10);
});

/** A command, a value after =, and the name of a file are completed in turn. */
const keys = 'plant-store imp\t--on-conflict=re\t--rejects pl\t';
const words = ['plant-store', 'import', '--on-conflict=replace', '--rejects', 'plants.csv'];

/** This line is completed, and then cleared by Ctrl-U. */
const trap = 'plant-store import $(touch evaluated) --on-conf\t\u0015';

const startUps: [Shell, string][] = [
  ['bash', 'source <(plant-store completion bash)'],
  ['zsh', 'autoload -U compinit; compinit -D; source <(plant-store completion zsh)'],
  ['zsh', 'plant-store completion zsh >bin/_plant-store; fpath+=$PWD/bin; autoload -U compinit; compinit -D'],
];

for (const [shell, startUp] of startUps) {
  const name = `${shell} completes a command line, and evaluates nothing of it, after: ${startUp} (skipped without ${shell})`;
  test.skipIf(!Bun.which(shell))(name, async () => {
    const typed = await typeInto(shell, startUp, trap + keys);
    expect(typed.words).toEqual(words);
    expect(typed.files).not.toContain('evaluated');
  });
}

test.skipIf(!Bun.which('fish'))(
  'fish completes commands, values after = and files (skipped without fish)',
  async () => {
    using home = createShellHome();
    const lines = ['plant-store completi', 'plant-store import --on-conflict=re', 'plant-store import pl'];
    const script = ['plant-store completion fish | source', ...lines.map((line) => `complete -C '${line}'`)].join('; ');
    const options = { program: ['fish', '--no-config', '-c'], cwd: home.path, env: home.env };
    expect(await runProgram([script], options)).toEqual({
      exitCode: 0,
      stdout: `completion\t${description}\n--on-conflict=replace\nplants.csv\n`,
      stderr: '',
    });
  },
);

test('the completion of an unknown shell is a usage error that names the known ones', async () => {
  const { exitCode, stderr } = await runProgram(['completion', 'tcsh']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('Allowed choices are bash, zsh, fish.');
});

import { readFileSync } from 'node:fs';
import { text as readAll } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { systemReasonOf, tryTo } from '../base/error.ts';
import { stopSignal } from '../base/signal.ts';
import type { Answer } from './check/check.ts';
import { type Context, PrintedFailure } from './context.ts';
import { parseFileName } from './options.ts';

export const addCheck = (program: Command, context: Context): void => {
  program
    .command('check')
    .description(
      'check an OpenAPI document against the official schema of its version and resolve its references, or check a value against a schema in it',
    )
    .argument('<file>', 'document, in YAML or JSON', parseFileName)
    .argument('[pointer]', 'JSON Pointer of a schema, such as /components/schemas/Plant')
    .argument('[value]', 'value in JSON; - reads stdin', '-')
    .option('--lesson <number>', 'check the exercise of a lesson in the document')
    .option('--watch', 'check again after each change of the file, until a signal')
    .action((file, pointer, value, flags, command) => check({ file, pointer, value, ...flags }, command, context));
};

interface Question {
  readonly file: string;
  readonly pointer?: string;
  readonly value: string;
  readonly lesson?: string;
  readonly watch?: true;
}

const check = async (
  { file, pointer, value, lesson, watch }: Question,
  command: Command,
  { printText, printMessage }: Context,
): Promise<void> => {
  if (lesson !== undefined && pointer !== undefined) command.error('error: --lesson takes no pointer.');
  const { checkDocument, checkValue } = await import('./check/check.ts');
  const json = pointer !== undefined && value === '-' ? await readAll(process.stdin) : value;
  const answer = async (document: string): Promise<Answer> => {
    if (lesson !== undefined) return (await import('./check/lesson.ts')).checkLesson(lesson, document);
    return pointer === undefined ? checkDocument(document) : checkValue(document, pointer, json);
  };
  const read = (): string => {
    try {
      return readFileSync(file, 'utf8');
    } catch (error) {
      const reason = systemReasonOf(error);
      if (reason === undefined) throw error;
      return command.error(`error: Cannot read ${file}: ${reason}.`);
    }
  };
  const first = read();
  const { outcome, lines } = await answer(first);
  if (outcome === 'misused') command.error(`error: ${lines.join('\n')}`);
  printText(lines.join('\n'));
  if (watch) {
    printMessage(`Checking ${file} after each change.`);
    for await (const document of changesOf(file, first)) printText(`\n${(await answer(document)).lines.join('\n')}`);
  } else if (outcome === 'wrong') throw new PrintedFailure();
};

/** The text of the file after each change, until a signal. Editors replace a file as often as they write to it, which a poll notices everywhere. */
async function* changesOf(file: string, first: string): AsyncGenerator<string> {
  const stop = new AbortController();
  void stopSignal().then(() => stop.abort());
  let last = first;
  while (!stop.signal.aborted) {
    await sleep(pollMs, undefined, { signal: stop.signal }).catch(() => {});
    // An editor may remove it for a moment.
    const text = tryTo(() => readFileSync(file, 'utf8')) ?? last;
    if (text !== last && !stop.signal.aborted) yield text;
    last = text;
  }
}

const pollMs = 200;

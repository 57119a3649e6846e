/** What all checks have, and how the answer to one becomes a result. */
import type { Installation } from './installation.ts';
import type { Run } from './session.ts';

export interface Check {
  /** What is asked about, for a reader: `a tag that is a number`. */
  readonly check: string;
  /** A tool that ignores the feature passes it too. */
  readonly isBasic?: boolean;
}

/** The answer to a check. Undefined means that the tool cannot be asked, and that it does not count. */
export interface Graded {
  readonly input: string;
  readonly expected: string;
  readonly observed: string;
  readonly line?: string | undefined;
  readonly exchange?: string | undefined;
  readonly grade: Grade;
}

export type Grade = 'right' | 'ignored' | 'wrong';

/** One question to a tool, and the answer. */
export interface CheckResult {
  readonly check: string;
  /** Whether a tool that ignores the feature passes it too. */
  readonly isBasic: boolean;
  /** As a user would type it. */
  readonly command: string;
  readonly input: string;
  readonly expected: string;
  readonly observed: string;
  /** The line of output that decides. */
  readonly line?: string;
  /** What a tester sent to the server of the case, and the response: of the exchange that decides, or else of the last one. */
  readonly exchange?: string;
  /** Of the last command. Omitted if the tool is a library or a server. */
  readonly exitCode?: number;
  /** Rulesets and configurations that the command reads, by name: their texts, and in committed results the keys of their texts. */
  readonly files?: Readonly<Record<string, string>>;
  /** Of the compiler or the program that loads the generated code, where that fails. */
  readonly loadExitCode?: number;
  readonly grade: Grade;
  /** The tool fails the same question without the feature, so that it does not count. */
  readonly isUnasked?: true;
}

/** What is needed to say how a user would ask the same. */
export interface Asked {
  readonly commands: readonly string[];
  readonly runs: readonly Run[];
  readonly files: ReadonlyMap<string, string>;
  readonly installation: Pick<Installation, 'usage' | 'folder'>;
  /** Where the tool was run. */
  readonly folder?: string;
}

export const resultOf = (
  { commands, runs, files, installation, folder }: Asked,
  { check, isBasic = false }: Check,
  { input, expected, observed, line, exchange, grade }: Graded,
): CheckResult => {
  // Where the tool is installed and was run says nothing about it.
  const shown = (text: string): string => {
    const short = text.replaceAll(`${installation.folder}/`, '');
    return shorten(folder === undefined ? short : short.replaceAll(`${folder}/`, ''));
  };
  const last = runs.findLast(({ command, isHidden }) => !isHidden && command === commands.at(-1));
  const loading = observed === 'generated, does not load' ? runs.findLast(({ isHidden }) => isHidden) : undefined;
  return {
    check,
    isBasic,
    command: commands.join(' && ') || installation.usage,
    input: shown(input),
    expected: shown(expected),
    observed: shown(observed),
    ...(line !== undefined && line !== '' && { line: shown(line) }),
    ...(exchange !== undefined && { exchange: shown(exchange) }),
    ...(last && { exitCode: last.exitCode }),
    ...(commands.length > 0 && files.size > 0 && { files: Object.fromEntries(files) }),
    ...(loading !== undefined && loading.exitCode !== 0 && { loadExitCode: loading.exitCode }),
    grade,
  };
};

const lengthMax = 400;

const shorten = (text: string): string => (text.length <= lengthMax ? text : `${text.slice(0, lengthMax - 1)}…`);

/**
 * The first line of an output that has the pattern, or its last line, without the time. A heading is followed by the next line, and a line
 * that opens a bracket by those until it is closed.
 */
export const decidingLine = (text: string, pattern = /error|exception|invalid|fail|not (?:allowed|found)/i): string => {
  const lines = text.split('\n').map((line) => line.trim().replace(/^\[\d+:\d+:\d+[^\]]*\]\s*/, ''));
  const isWanted = (line: string) => !isNoise(line) && pattern.test(line);
  const start = lines.some(isWanted) ? lines.findIndex(isWanted) : lines.findLastIndex((line) => !isNoise(line));
  const [line = '', ...others] = lines.slice(start);
  if (isHeading.test(line)) return `${line} ${others.find((other) => !isNoise(other)) ?? ''}`.trim();
  const isStack = (other: string) => other.startsWith('at ');
  const end = others.findIndex(
    (other, index) => isStack(other) || !isOpen([line, ...others.slice(0, index)].join(' ')),
  );
  const rest = endsOpen.test(line) ? others.slice(0, end === -1 ? undefined : end) : [];
  const whole = [line, ...rest].join(' ').trim();
  // What is behind the bracket decides.
  const closing = others.find((other) => /^[)\]}].*\p{L}/u.test(other));
  return whole.length <= lengthMax / 2 || closing === undefined ? whole : `${line} … ${closing}`;
};

const isHeading = /:$|^\w+ error$/i;
const endsOpen = /[([{]$/;

const isOpen = (text: string): boolean => (text.match(/[([{]/g) ?? []).length > (text.match(/[)\]}]/g) ?? []).length;

/** A line without words, a count, or a line of a stack trace, of the source that it shows, of the options of a command, or of its runtime. */
const isNoise = (line: string): boolean =>
  !/\p{L}/u.test(line) ||
  /^\W*\d+ errors?$|^=+ [A-Z]+ =+$/.test(line) ||
  /(?:^|: )\d+ \||^(?:[╭│╰]|at |raise |File "|(?:-\w, )?--\w|note: run with |Bun v|Node\.js v)/.test(line);

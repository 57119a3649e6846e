import { beforeAll, describe, expect, test } from 'bun:test';
import { temporaryFolder } from '../../tests/support/folder.ts';
import { run } from './run.ts';
import { smallDocument } from './small-document.ts';

/** A sentence about a feature, and the text that shows it. All white space in it is one space. */
type Lines = Readonly<Record<string, string>>;

export interface Generator {
  readonly tool: string;
  /** Why the tool cannot run here. Its tests are then skipped. */
  readonly missing?: string | undefined;
  /** Generates code from the document in the file `small.json` of the working directory. */
  readonly command: readonly string[];
  /** The generated files that are examined. */
  readonly files: readonly string[];
  /** Runs in the folder of the generated files. Its output is examined with them. */
  readonly program?: readonly string[];
  /** What the generated text has, right or wrong. */
  readonly has?: Lines;
  /** What the generated text should have, in upper or lower case, and does not. */
  readonly lacks?: Lines;
}

/** Generates code from the small document, and has a test for each line. */
export const describeGenerator = ({
  tool,
  missing,
  command,
  files,
  program,
  has = {},
  lacks = {},
}: Generator): void => {
  describe.skipIf(missing !== undefined)(missing === undefined ? tool : `${tool} is skipped: ${missing}`, () => {
    let examined = '';
    beforeAll(async () => {
      using folder = temporaryFolder();
      await Bun.write(folder.file('small.json'), JSON.stringify(smallDocument));
      const { text, exitCode } = await run(command, folder.path);
      if (exitCode !== 0) throw new Error(`${tool} failed: ${text}`);
      const texts = await Promise.all(files.map((name) => Bun.file(folder.file(name)).text()));
      if (program) texts.push((await run(program, folder.path)).text);
      examined = texts.join('\n').replaceAll(/\s+/g, ' ');
    });

    test.each(Object.entries(has))(`${tool}: %s`, (_, line) => expect(examined).toContain(line));
    test.each(Object.entries(lacks))(`${tool}: %s`, (_, line) =>
      expect(examined.toLowerCase()).not.toContain(line.toLowerCase()),
    );
  });
};

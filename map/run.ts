/** `bun run map [PROGRAM] [options]`: runs one of these programs, by default the measurement. */
import { UnknownName } from './measure/choose.ts';

const programs: Readonly<Record<string, string>> = {
  measure: './measure/run.ts',
  compare: './compare.ts',
  again: './measure/again.ts',
  repeat: './measure/repeat-run.ts',
  site: './site/build.ts',
  picture: './site/picture.tsx',
};

const [first = ''] = process.argv.slice(2);
const program = first.startsWith('-') || first === '' ? 'measure' : first;
const path = programs[program];
if (path === undefined) {
  console.error(`There is no program ${program}. There are: ${Object.keys(programs).join(', ')}`);
  process.exit(2);
}
// The options of the program are what follows its name.
if (first === program) process.argv.splice(2, 1);
try {
  await import(path);
} catch (error) {
  if (error instanceof UnknownName) {
    console.error(error.message);
    process.exit(2);
  }
  const isUsage = error instanceof Error && 'code' in error && `${error.code}`.startsWith('ERR_PARSE_ARGS');
  if (!isUsage) throw error;
  console.error(`${error.message}\nmap/README.md has the options.`);
  process.exit(2);
}

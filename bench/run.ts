/** `bun run bench [PROGRAM] [options]`: runs one of these programs, by default `requests`. Each is a folder here. */
const programs = [
  'requests',
  'own',
  'start',
  'versions',
  'guard',
  'webhooks',
  'streams',
  'postgres',
  'runtimes',
  'floors',
  'scaling',
  'growth',
  'memory',
  'idle',
  'metrics',
  'pictures',
] as const;

const [first = ''] = process.argv.slice(2);
const program = first.startsWith('-') || first === '' ? 'requests' : programs.find((name) => name === first);
if (program === undefined) {
  console.error(`There is no benchmark ${first}. There are: ${programs.join(', ')}`);
  process.exit(2);
}
// The options of the program are what follows its name.
if (first === program) process.argv.splice(2, 1);
try {
  await import(`./${program}/run.ts`);
} catch (error) {
  const isUsage = error instanceof Error && 'code' in error && `${error.code}`.startsWith('ERR_PARSE_ARGS');
  if (!isUsage) throw error;
  console.error(`${error.message}\nbench/README.md has the options.`);
  process.exit(2);
}

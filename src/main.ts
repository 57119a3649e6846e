import { run } from './cli/program.ts';

run(process.argv.slice(2)).then((exitCode) => process.exit(exitCode));

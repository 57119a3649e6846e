#!/usr/bin/env -S bun --no-env-file --config=/dev/null
import { reportUncaught, run } from './cli/program.ts';

reportUncaught();
run(process.argv.slice(2)).then((exitCode) => process.exit(exitCode));

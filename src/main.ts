#!/usr/bin/env -S bun --no-env-file --config=/dev/null
import { run } from './cli/program.ts';

run(process.argv.slice(2)).then((exitCode) => process.exit(exitCode));

#!/usr/bin/env -S bun --no-env-file --config=/dev/null
import { exitIfOld } from './runtime/oldest.ts';

exitIfOld();
import('./cli/program.ts')
  .then(({ reportUncaught, run }) => {
    reportUncaught();
    return run(process.argv.slice(2));
  })
  .then((exitCode) => process.exit(exitCode));

/** The line of output that decides. */
import { expect, test } from 'bun:test';
import { decidingLine } from './check.ts';

test.each([
  ['Reading\nError: no title\nDone', 'Error: no title'],
  ['Reading\nNothing to do', 'Nothing to do'],
  ['12 | throw new Error(reason);\nTypeError: no title\nat emitError (events:50:13)\n}', 'TypeError: no title'],
  ['Failed: 58 | return;\n59 | }\nRefError: no title\nBun v1.4.5', 'RefError: no title'],
  ['  File "a.py", line 1, in error\n    raise Exception(reason)\nException: no title', 'Exception: no title'],
  ['╭─ Traceback ─╮\n│ raise Error(reason) │\nError: no title', 'Error: no title'],
  ['crashed\n    at emitError (events:50:13)\n}', 'crashed'],
  ['      --errors   Answers with an error\n  -e, --error   The same\nError: no operations', 'Error: no operations'],
  ['🚫 1 error\n=== ERRORS ===\nSchema Error\n\nNo title', 'Schema Error No title'],
  ['Validation failed:\n\n  no title', 'Validation failed: no title'],
  ['[11:04:16 PM] › fatal Error: no title', '› fatal Error: no title'],
  ['Validation failed:', 'Validation failed:'],
  [
    'TypeError: z.union([\n  z.unknown()\n]).int is no function\nBun v1.4.5',
    'TypeError: z.union([ z.unknown() ]).int is no function',
  ],
  ['Error: no items of {\n"a": 1\n}\nat emitError', 'Error: no items of { "a": 1 }'],
  [
    `TypeError: z.union([\n${'z.unknown(),\n'.repeat(50)}]).int is no function`,
    'TypeError: z.union([ … ]).int is no function',
  ],
  ['panicked: no title\nnote: run with `RUST_BACKTRACE=1`', 'panicked: no title'],
  ['', ''],
])('the line that decides in %j is %j', (output, line) => {
  expect(decidingLine(output)).toBe(line);
});

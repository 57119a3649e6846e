/** Prints the reports of errors whose messages have a value in some engine, a line each. The value is the first argument. */
import { printReport, reportOf } from '../../src/base/error-report.ts';

const text = process.argv[2] ?? '';
const value: object & (() => void) = JSON.parse(JSON.stringify(text));

const acts: readonly (() => unknown)[] = [
  () => value(),
  () => 'a' in value,
  () => Object.assign(value, { 0: 'a' }),
  () => Reflect.get(value, 'a'),
  () => new Map(JSON.parse(JSON.stringify([text]))),
  () => JSON.parse('{}')[text].a,
  () => JSON.parse(text),
  () => BigInt(text),
  () => new URL(text),
  () => new Request(text),
  () => new Request('http://localhost/', { method: `${text} ` }),
  () => new Headers({ [`${text} `]: 'a' }),
  () => new Intl.DateTimeFormat('en', { timeZone: text }),
  () => new Intl.NumberFormat(text),
  () => Object.defineProperty({}, 'a', value),
  () => Object.setPrototypeOf({}, value),
  () => class extends (value as never as ObjectConstructor) {},
  () => [1].map(value),
];

for (const act of acts) {
  try {
    act();
  } catch (error) {
    // The calls have no values, and the lines of the runtime.
    const { stack: _, ...report } = reportOf(error);
    console.log(printReport({ ...report, stack: undefined }));
  }
}

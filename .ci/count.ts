/**
 * Prints each failed test with its message, and "N passed, N failed, N skipped", from a JUnit report. Fails if a test
 * failed or none ran.
 */
import { readTestCases, type TestCase } from '../tests/support/junit.ts';

const [path = ''] = process.argv.slice(2);
const testCases = readTestCases(await Bun.file(path).text());

for (const { file, name, outcome, message } of testCases)
  if (outcome === 'failed') console.log(`failed: ${file}: ${name}\n${message}`);

const count = (outcome: TestCase['outcome']): number => testCases.filter((one) => one.outcome === outcome).length;
const [passed, failed, skipped] = [count('passed'), count('failed'), count('skipped')];
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);

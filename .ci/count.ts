/**
 * Prints each failed test with its message, and "N passed, N failed, N skipped", from JUnit reports. Fails if a test
 * failed, or if none passed in a report.
 */
import { readTestCases, type TestCase } from '../tests/support/project/junit.ts';

const reports = await Promise.all(process.argv.slice(2).map((path) => Bun.file(path).text()));
const runs = reports.map(readTestCases);
const testCases = runs.flat();

for (const { file, name, outcome, message } of testCases)
  if (outcome === 'failed') console.log(`failed: ${file}: ${name}\n${message}`);

const count = (outcome: TestCase['outcome']): number => testCases.filter((one) => one.outcome === outcome).length;
const [passed, failed, skipped] = [count('passed'), count('failed'), count('skipped')];
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
const isRun = runs.every((run) => run.some(({ outcome }) => outcome === 'passed'));
process.exit(failed === 0 && isRun ? 0 : 1);

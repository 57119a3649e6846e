/** Prints "N passed, N failed, N skipped" from a JUnit report; fails when a test failed or none ran. */
const [path = ''] = process.argv.slice(2);
const report = await Bun.file(path).text();
const count = (element: RegExp): number => report.match(element)?.length ?? 0;

const failed = count(/<(?:failure|error)\b/g);
const skipped = count(/<skipped\b/g);
const passed = count(/<testcase\b/g) - failed - skipped;
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);

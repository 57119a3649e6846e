/**
 * Prints each test that failed, with the reason, and "N passed, N failed, N skipped", from a JUnit report; fails when a test
 * failed or none ran.
 */

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const [path = ''] = process.argv.slice(2);
const report = await Bun.file(path).text();

const failures = [...report.matchAll(/<testcase\b([^>]*)>\s*<(?:failure|error)\b([^>]*)>/g)];
for (const [, test = '', failure = ''] of failures)
  console.log(`failed: ${attribute(test, 'file')}: ${attribute(test, 'name')}\n${attribute(failure, 'message')}`);

const count = (element: RegExp): number => report.match(element)?.length ?? 0;
const failed = count(/<(?:failure|error)\b/g);
const skipped = count(/<skipped\b/g);
const passed = count(/<testcase\b/g) - failed - skipped;
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);

function attribute(attributes: string, name: string): string {
  const text = new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
  return text.replace(/&(?:#(\d+)|(\w+));/g, (_, code, word) =>
    code ? String.fromCodePoint(code) : (entities[word] ?? ''),
  );
}

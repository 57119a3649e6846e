/** Runs test files on Node and Deno, without the tests that need Bun themselves, and prints the results as one JSON text. */
import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
// First, since it lets Node import texts.
import '#runtime';

const shim = new URL('../support/programs/bun-test.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, nextResolve) => nextResolve(specifier === 'bun:test' ? shim : specifier, context),
});
const { loadTests, runTests } = await import('../support/programs/bun-test.ts');
for (const file of process.argv.slice(2)) {
  await loadTests(file, () => import(pathToFileURL(resolve(file)).href));
}
/** Bun starts commands, drizzle-kit and a receiver for them. */
const needsBun =
  /^many processes|^a process that is killed|drizzle-kit|^postgres$|^a table of |^a process sends to a webhook/;
console.log(JSON.stringify(await runTests((name) => !needsBun.test(name))));
process.exit();

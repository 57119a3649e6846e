/** The document for tools that know OpenAPI 3.0 alone. */
import { expect, test } from 'bun:test';
import { createTwin, twinPath } from './twin.ts';

test('openapi-3.0.json is what the converter makes of the document; `bun run openapi` renews it', async () => {
  expect((await Bun.file(twinPath).text()) === createTwin()).toBe(true);
});

/**
 * What third-party tools get wrong about the document, as described in FEATURES.md. If a test here fails, the tool was fixed, and the
 * test must be changed.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { document } from '../tests/support/document.ts';
import { temporaryFolder } from '../tests/support/folder.ts';
import { executablePath, launch } from './browser.ts';
import { startPrism } from './prism.ts';
import { type Service, startService } from './service.ts';

const here = (path: string): string => join(import.meta.dir, path);

const readDocument = (): typeof document => structuredClone(document);

/** The output of a tool for a changed copy of the document. */
const lint = async (command: readonly string[], change: (document: ReturnType<typeof readDocument>) => void) => {
  using folder = temporaryFolder();
  const document = readDocument();
  change(document);
  await Bun.write(folder.file('openapi.json'), JSON.stringify(document));
  const child = Bun.spawn([...command, folder.file('openapi.json')], { stdout: 'pipe', stderr: 'pipe' });
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return output + errors;
};

test('Redocly: members of a branch with a discriminator count as unevaluated', async () => {
  const redocly = [here('node_modules/.bin/redocly'), 'lint', '--config', here('redocly.yaml')];
  const close = (document: ReturnType<typeof readDocument>): void => {
    delete document.components.schemas.Event.additionalProperties;
    document.components.schemas.Event.unevaluatedProperties = false;
  };
  expect(await lint(redocly, close)).toContain('must NOT have unevaluated properties');
  const withoutDiscriminator = (document: ReturnType<typeof readDocument>): void => {
    close(document);
    delete document.components.schemas.Event.discriminator;
  };
  expect(await lint(redocly, withoutDiscriminator)).not.toContain('must NOT have unevaluated properties');
}, 20_000);

test('Spectral: the roles of a bearer requirement are mistaken for OAuth scopes', async () => {
  using folder = temporaryFolder();
  await Bun.write(folder.file('ruleset.yaml'), 'extends: ["spectral:oas"]');
  const spectral = [here('node_modules/.bin/spectral'), 'lint', '--ruleset', folder.file('ruleset.yaml')];
  expect(await lint(spectral, () => undefined)).toContain('"plants:read" must be listed among scopes');
}, 20_000);

describe('Prism', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  const create = (url: string, body: string): Promise<Response> =>
    fetch(`${url}/plants`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
      body,
    });

  test('Prism rounds an int64 beyond 2⁵³ on its way to the server', async () => {
    using prism = await startPrism(here('../openapi/openapi.yaml'), service.url);
    const response = await create(prism.url, '{"id":9007199254740993,"name":"n"}');
    expect(response.headers.get('location')).toBe('/plants/9007199254740992');
  }, 20_000);

  test('Prism validates nothing if the document has the dialect of the OpenAPI Initiative', async () => {
    using folder = temporaryFolder();
    const document = { ...readDocument(), jsonSchemaDialect: 'https://spec.openapis.org/oas/3.1/dialect/base' };
    await Bun.write(folder.file('openapi.json'), JSON.stringify(document));
    using prism = await startPrism(folder.file('openapi.json'), service.url);
    const response = await create(prism.url, '{"id":1,"name":5}');
    // The service has responded: Prism has not refused the request.
    expect(await response.json()).toMatchObject({ error: 40001 });
  }, 20_000);
});

describe('generated code', () => {
  const read = (path: string): Promise<string> => Bun.file(here(`generated/${path}`)).text();

  test('@hey-api/openapi-ts: the second media type of a body is lost', async () => {
    const sdk = await read('hey-api/sdk.gen.ts');
    const [, updatePlant = ''] = sdk.split('export const updatePlant =');
    expect(updatePlant).toContain("'Content-Type': 'application/merge-patch+json'");
    expect(await read('hey-api/types.gen.ts')).not.toContain('application/json');
  });

  test('@hey-api/openapi-ts and openapi-typescript: no callbacks, and ids are numbers', async () => {
    const types = await read('openapi-typescript.ts');
    expect(types).not.toContain('callbacks');
    expect(types).toMatch(/Format: int64[\s\S]{0,120}id: number;/);
    const heyApi = await read('hey-api/types.gen.ts');
    expect(heyApi).not.toMatch(/callback/i);
    expect(heyApi).toMatch(/Identification number of the plant\s+\*\/\s+id: number;/);
  });
});

// Skipped without Debian's Chromium, which CI installs.
test.skipIf(!existsSync(executablePath))(
  'Scalar: neither info.summary nor a description beside a reference is shown',
  async () => {
    await using service = await startService();
    const browser = await launch();
    const page = await browser.newPage();
    await page.goto(`${service.url}/swagger`);
    await page.getByText('Get the current token').first().waitFor();
    const shown = await page.evaluate('document.body.innerText');
    await browser.close();
    expect(shown).toContain('Maximum number of items in the page.');
    expect(shown).not.toContain('Maximum number of plants in the page.');
    expect(shown).not.toContain(readDocument().info.summary);
  },
  20_000,
);

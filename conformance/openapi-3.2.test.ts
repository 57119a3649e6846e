/**
 * The OpenAPI 3.2 document in third-party tools. Some tests show a defect of a tool, which FEATURES.md lists. If such a test fails,
 * the tool was fixed, and the test must be changed.
 */
import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { document32 } from '../tests/support/document/streamed-event.ts';
import { temporaryFolder } from '../tests/support/folder.ts';
import { eventually } from '../tests/support/until.ts';
import { executablePath, launch, waitMs } from './browser.ts';

const here = (path: string): string => join(import.meta.dir, path);
const tool = (name: string): string => here(`node_modules/.bin/${name}`);

type Change = (document: typeof document32) => void;

const liveStream = ({ paths }: typeof document32) => paths['/events'].get.responses[200].content['text/event-stream'];

/** Runs a tool on a changed copy of the document. Returns its output. */
const run = async (command: (file: string) => readonly string[], change?: Change): Promise<string> => {
  using folder = temporaryFolder();
  const document = structuredClone(document32);
  change?.(document);
  await Bun.write(folder.file('openapi.json'), JSON.stringify(document));
  const child = Bun.spawn([...command(folder.file('openapi.json'))], {
    cwd: folder.path,
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return output + errors;
};

describe('Redocly', () => {
  const lint = (change?: Change) =>
    run((file) => [tool('redocly'), 'lint', '--config', here('redocly.yaml'), file], change);

  test('Redocly refuses an itemSchema with an unresolved reference, a second example value, and an unknown parent', async () => {
    const output = await lint((document) => {
      liveStream(document).itemSchema.$ref = '#/components/schemas/Nothing';
      liveStream(document).examples.live.value = '';
      document.tags[0].parent = 'nothing';
    });
    expect(output).toContain("Can't resolve $ref");
    expect(output).toContain("must be absent if 'dataValue' is present");
    expect(output).toContain("Tag parent 'nothing' is not defined");
  });

  test('Redocly accepts a dataValue that does not match itemSchema, and refuses a response without a description', async () => {
    const output = await lint((document) => {
      liveStream(document).examples.live.dataValue[0].event = 'plant.watered';
      delete document.components.responses.Defect.description;
    });
    expect(output).toContain('The field `description` must be present on this level');
    expect(output).toContain('Validation failed with 1 error');
  });
});

test('Spectral: the schema of 3.2 is known, and every example needs a value', async () => {
  const output = await run(
    (file) => [tool('spectral'), 'lint', '--ruleset', here('spectral.yaml'), file],
    (document) => (liveStream(document).itemScheme = {}),
  );
  expect(output).toContain('must not have unevaluated properties');
  expect(output).toContain('"exact.value" property must exist');
});

describe('generated from the 3.2 document', () => {
  test('openapi-typescript: a stream has the type unknown, and the shared media type is missing', async () => {
    const types = await run((file) => [tool('openapi-typescript'), file]);
    expect(types).toContain('"text/event-stream": unknown;');
    expect(types).toContain('"application/json": components["mediaTypes"]["PlantPatch"];');
    expect(types).not.toMatch(/^\s+mediaTypes:/m);
  });

  test('@hey-api/openapi-ts: a body of a shared media type has the type unknown, and the stream is missing', async () => {
    const types = await run((file) => [
      'sh',
      '-c',
      `${tool('openapi-ts')} -i ${file} -o out >&2; cat out/types.gen.ts`,
    ]);
    expect(types).toMatch(/UpdatePlantData = \{[^}]*body: unknown;/);
    expect(types).toMatch(/ListEventsResponses = \{[^}]*200: Array<Event>;\s*\}/);
  });
});

// Skipped without Debian's Chromium, which CI installs.
test.skipIf(!existsSync(executablePath))(
  'Scalar: an event of the stream and nested tags are shown, a shared media type is not, and a large id is rounded',
  async () => {
    const document = structuredClone(document32);
    const { '/plants': plants, '/plants/{id}': plant, '/events': events } = document.paths;
    document.paths = { '/plants': { post: plants.post }, '/plants/{id}': plant, '/events': events };
    // Of several media types and examples, the page shows the first.
    delete events.get.responses[200].content['application/json'];
    const { content } = plants.post.requestBody;
    content['application/json'].examples = { exact: content['application/json'].examples.exact };
    using server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      routes: {
        '/': new Response(page, { headers: { 'content-type': 'text/html' } }),
        '/document': Response.json(document),
        '/script': new Response(Bun.file(here('node_modules/@scalar/api-reference/dist/browser/standalone.js'))),
      },
    });
    await using browser = await launch();
    const tab = await browser.newPage();
    tab.setDefaultTimeout(waitMs);
    await tab.goto(server.url.href);
    const open = async (operation: string) => {
      const section = tab.locator(`[id$="/${operation}"]`);
      await section.scrollIntoViewIfNeeded();
      return section;
    };
    const stream = await open('GET/events');
    await stream.getByText('The event as JSON.').waitFor();
    await stream.getByText('id: evt_6_').first().waitFor({ state: 'attached' });
    await (await open('POST/plants')).getByText('9223372036854776000').waitFor();
    const patch = await open('PATCH/plants/{id}');
    await patch.getByText('The updated plant.').first().waitFor();
    expect(await patch.textContent()).not.toContain('it must be the id in the path');
    const messages = tab.locator('li', { hasText: 'Webhooks' }).locator('li', { hasText: 'Messages' });
    await eventually(async () => expect(await messages.count()).toBe(1));
  },
);

const page = `<body><script id="api-reference" data-url="/document" data-configuration='{"defaultOpenAllTags":true,"expandAllResponses":true}'></script><script src="/script"></script></body>`;

const schemathesis = here('.venv/bin/schemathesis');

// Skipped without Python. `bun run python` installs it.
describe.skipIf(!existsSync(schemathesis))('Schemathesis', () => {
  const { serializedValue } = liveStream(document32).examples.live;
  const check = async (stream: string, change?: Change): Promise<string> => {
    using server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: () => new Response(stream, { headers: { 'content-type': 'text/event-stream' } }),
    });
    const options = ['--checks', 'response_schema_conformance', '--include-operation-id', 'listEvents'];
    const effort = ['--phases', 'fuzzing', '--max-examples', '1', '--no-color'];
    return await run((file) => [schemathesis, 'run', file, '--url', server.url.href, ...options, ...effort], change);
  };

  test('Schemathesis validates the events of a stream by itemSchema, and their data by contentSchema', async () => {
    expect(await check(serializedValue)).toContain('No issues found');
    expect(await check(serializedValue.replace('event: plant.created', 'event: plant.watered'))).toContain(
      'SSE event violates schema',
    );
    expect(await check(serializedValue.replace('"type":"plant.created"', '"type":"plant.watered"'))).toContain(
      'SSE event payload violates content schema',
    );
  });

  test('Schemathesis validates each event by the schema of the whole stream, since 3.1 has no other', async () => {
    const output = await check(serializedValue, (document) => {
      document.openapi = '3.1.1';
      liveStream(document).schema = { type: 'string' };
      delete liveStream(document).itemSchema;
    });
    expect(output).toContain('SSE event violates schema');
  });
});

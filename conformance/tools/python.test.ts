/** How Python tools read OpenAPI 3.1. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../tests/support/folder.ts';
import { describeGenerator } from './generator.ts';
import { run } from './run.ts';
import { smallDocument } from './small-document.ts';

// The machine may be busy.
setDefaultTimeout(60_000);

const bin = (name: string): string => join(import.meta.dir, '../.venv/bin', name);

// `bun run python` installs it.
const missing = existsSync(bin('openapi-python-client')) ? undefined : 'Python with venv and pip is not installed';

describeGenerator({
  tool: 'openapi-python-client',
  missing,
  command: [
    bin('openapi-python-client'),
    ...['generate', '--meta', 'none', '--path', 'small.json', '--output-path', 'client'],
  ],
  files: ['client/api/default/list_events.py', 'client/api/default/update_plant.py'],
  program: [
    bin('python3'),
    '-c',
    `
from client.models import Error, NewPlant, PlantPatch
for number in (40000, 40001):
    try:
        print(Error.from_dict({"error": number}).error)
    except ValueError as error:
        print(error)
print(PlantPatch(tag=None).to_dict(), PlantPatch().to_dict())
print(NewPlant.from_dict({"id": 9223372036854775807}).id)`,
  ],
  has: {
    'only the first constant of a oneOf is accepted': "40000 error_malformed_body must match const 40000, got '40001'",
    'null is sent, and an absent member is not': "{'tag': None} {}",
    'an id beyond 2⁵³ is exact': '9223372036854775807',
    'an event is one of its types, without the members beside the discriminated oneOf':
      'list[PlantCreated | PlantDeleted]',
    'the last of two media types for one body is always sent':
      'if isinstance(body, PlantPatch): _kwargs["json"] = body.to_dict() headers["Content-Type"] = "application/merge-patch+json" ' +
      'if isinstance(body, PlantPatch): _kwargs["json"] = body.to_dict() headers["Content-Type"] = "application/json"',
  },
});

describeGenerator({
  tool: 'datamodel-code-generator',
  missing,
  command: [
    bin('datamodel-codegen'),
    ...['--input', 'small.json', '--input-file-type', 'openapi', '--output', 'models.py'],
    ...['--output-model-type', 'pydantic_v2.BaseModel'],
  ],
  files: ['models.py'],
  program: [
    bin('python3'),
    '-c',
    `
from models import Error, NewPlant, PlantRecord
print(repr(Error.model_validate_json('{"error":40001}').error))
print(NewPlant.model_validate_json('{"id":9223372036854775807}'))
try:
    PlantRecord.model_validate_json('{"id":1,"createdAt":"2026-05-01T09:30:00Z","secret":""}')
except ValueError as error:
    print('refused', error.errors()[0]['loc'])`,
  ],
  has: {
    'the titles of an annotated enumeration are its names':
      'class Error1(IntEnum): malformed_body = 40000 invalid_body = 40001',
    'an error has the name of its number': '<Error1.invalid_body: 40001>',
    'a constant is a literal': "type: Literal['plant.created']",
    'the members beside a discriminated oneOf are in each branch':
      "class Event1(PlantCreated): eventId: EventId = Field(..., description='of an event')",
    'the discriminator chooses the branch': "root: Event1 | Event2 = Field(..., discriminator='type')",
    'a member that unevaluatedProperties excludes is refused': "refused ('secret',)",
    'an id beyond 2⁵³ is exact': 'id=9223372036854775807',
    'an optional member may also be null': 'class Webhook(BaseModel): url: str secret: str | None = None',
  },
});

test.skipIf(missing !== undefined)(
  'openapi-core: everything is validated, but only application/json is decoded',
  async () => {
    using folder = temporaryFolder();
    await Bun.write(folder.file('small.json'), JSON.stringify(smallDocument));
    const { text } = await run([bin('python3'), join(import.meta.dir, 'validate.py')], folder.path);
    expect(text.trim().split('\n')).toEqual([
      'a tag that is null: accepted for 9007199254740993',
      'a tag that is 5: refused',
      'a merge patch: refused',
      'a plant: accepted',
      'a plant with a secret: refused',
      'a deletion: accepted',
      'a creation without a name: refused',
      'a stream: refused',
      '40001: accepted',
      '40002: refused',
    ]);
  },
);

test.skipIf(missing !== undefined)(
  'openapi-spec-validator: both documents are valid, and one without a title is not',
  async () => {
    using folder = temporaryFolder();
    await Bun.write(folder.file('untitled.json'), JSON.stringify({ ...smallDocument, info: { version: '1' } }));
    const documents = ['openapi.yaml', 'openapi-3.0.json'].map((name) => join(import.meta.dir, '../../openapi', name));
    const { text } = await run([bin('openapi-spec-validator'), ...documents, folder.file('untitled.json')]);
    for (const path of documents) expect(text).toContain(`${path}: OK\n`);
    expect(text).toMatch(/title\W is a required property/);
  },
);

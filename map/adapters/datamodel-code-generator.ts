import type { Judgement } from '../measure/abilities/validate.ts';
import type { AdapterText } from '../measure/adapter.ts';
import { exactJson } from '../measure/exact-json.ts';
import { Refusal, type Session } from '../measure/session.ts';
import { isAboutHeaders, oneSidedMembers, schemaNameAt, schemaNameOf } from './shared/body.ts';
import { textOfFiles } from './shared/code.ts';
import { isInFiles } from './shared/files.ts';
import { askPython } from './shared/python.ts';

const options = [
  ...['--input-file-type', 'openapi', '--use-operation-id-as-name'],
  ...['--openapi-scopes', 'schemas', 'paths', 'parameters', 'webhooks'],
  ...['--read-only-write-only-model-type', 'all', '--output-model-type', 'pydantic_v2.BaseModel'],
  // Without it, `nullable` of OpenAPI 3.0 is not read where a member is required.
  '--strict-nullable',
  '--use-tuple-for-closed-arrays',
  // Without it, it asks the host of an address for a schema that the document has, with that `$id`.
  '--no-allow-remote-refs',
];

const generate = async (session: Session): Promise<void> => {
  const { run, file } = session;
  // A module for each file is in a folder.
  const output = isInFiles(session) ? 'models' : 'models.py';
  const command = ['datamodel-codegen', '--input', 'openapi.yaml', ...options, '--output', output];
  const { text, exitCode } = await run(command, { mayFail: true });
  // A document without a schema has no models, and it has been read.
  if (text.includes('Models not found')) await Bun.write(file('models.py'), '');
  else if (exitCode !== 0) throw new Refusal(text);
};

export const tool: AdapterText = {
  name: 'datamodel-code-generator',
  kind: 'generator',
  language: 'Python',
  registry: 'pypi',
  package: 'datamodel-code-generator',
  version: '0.89.0',
  homepage: 'https://datamodel-code-generator.koxudaxi.dev/',
  tracker: 'https://github.com/koxudaxi/datamodel-code-generator/issues',
  abilities: {
    load: generate,
    validate: async (session, questions) => {
      await generate(session);
      const asked = questions.map((question) => {
        const { operationId, schema, side, contentType, body } = question;
        if (!contentType.endsWith('json') || body === undefined || isAboutHeaders(question, questions)) return null;
        return { name: schemaNameAt(session.document, schema) ?? operationId, side, body };
      });
      return askPython<Judgement>(session, asked, driver);
    },
    typeCheck: async (session, questions) => {
      await generate(session);
      const asked = questions.map(({ schema, operation, side = 'request', status, contentType, literal }) => {
        const name = schema ?? schemaNameOf(session.document, { operation, side, status, contentType });
        const oneSided = oneSidedMembers(session.document, name);
        return { name: name ?? operation, side, body: exactJson(literal), oneSided };
      });
      return askPython<Judgement>(session, asked, driver);
    },
    code: async (session) => {
      await generate(session);
      return textOfFiles(session, isInFiles(session) ? 'models/*.py' : 'models.py');
    },
  },
};

/**
 * A schema with read-only members has two more models, such as `PlantRequest`. A body whose schema has no name has that of its operation.
 * When it runs, a model ignores a member that it does not have; a type checker refuses it.
 */
const driver = `
import json
import models

def ask(question):
    if question is None:
        return None
    name = question['name'][0].upper() + question['name'][1:]
    model = getattr(models, name + question['side'].title(), None) or getattr(models, name, None)
    if model is None:
        return {'isAccepted': False, 'isMissing': True}
    for member in question.get('oneSided', []):
        if member in json.loads(question['body']) and member not in model.model_fields:
            return {'isAccepted': False, 'line': f'{model.__name__} has no member {member}'}
    try:
        model.model_validate_json(question['body'])
        return {'isAccepted': True}
    except ValueError as error:
        return {'isAccepted': False, 'line': str(error).replace(chr(10), ' ')}
`;

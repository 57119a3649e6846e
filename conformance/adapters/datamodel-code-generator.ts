import type { Judgement } from '../map/abilities/validate.ts';
import type { AdapterText } from '../map/adapter.ts';
import { exactJson } from '../map/exact-json.ts';
import { Refusal, type Session } from '../map/session.ts';
import { schemaNameAt, schemaNameOf } from './shared/body.ts';
import { textOfFiles } from './shared/code.ts';
import { askPython } from './shared/python.ts';

const options = [
  ...['--input-file-type', 'openapi', '--openapi-scopes', 'schemas', 'paths', 'webhooks', '--use-operation-id-as-name'],
  ...['--read-only-write-only-model-type', 'all', '--output-model-type', 'pydantic_v2.BaseModel'],
];

const generate = async ({ run, file }: Session): Promise<void> => {
  const command = ['datamodel-codegen', '--input', 'openapi.yaml', ...options, '--output', 'models.py'];
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
      const asked = questions.map(({ operationId, schema, side, contentType, body }) => {
        if (!contentType.endsWith('json') || body === undefined) return null;
        return { name: schemaNameAt(session.document, schema) ?? operationId, side, body };
      });
      return askPython<Judgement>(session, asked, driver);
    },
    typeCheck: async (session, questions) => {
      await generate(session);
      const asked = questions.map(({ schema, operation, side = 'request', status, contentType, literal }) => ({
        name: schema ?? schemaNameOf(session.document, { operation, side, status, contentType }) ?? operation,
        side,
        body: exactJson(literal),
      }));
      return askPython<Judgement>(session, asked, driver);
    },
    code: async (session) => {
      await generate(session);
      return textOfFiles(session, 'models.py');
    },
  },
};

/** A schema with read-only members has two more models, such as `PlantRequest`. A body whose schema has no name has that of its operation. */
const driver = `
import models

def ask(question):
    if question is None:
        return None
    name = question['name'][0].upper() + question['name'][1:]
    model = getattr(models, name + question['side'].title(), None) or getattr(models, name, None)
    if model is None:
        return {'isAccepted': False, 'isMissing': True}
    try:
        model.model_validate_json(question['body'])
        return {'isAccepted': True}
    except ValueError as error:
        return {'isAccepted': False, 'line': str(error).replace(chr(10), ' ')}
`;

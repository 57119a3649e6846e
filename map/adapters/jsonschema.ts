import type { AdapterText } from '../measure/adapter.ts';
import { valueAt } from '../measure/operation.ts';
import { judgeByPython } from './shared/python-validator.ts';
import { hasNames } from './shared/schema-names.ts';

export const tool: AdapterText = {
  name: 'jsonschema',
  kind: 'schema',
  language: 'Python',
  registry: 'pypi',
  package: 'jsonschema',
  version: '4.26.0',
  homepage: 'https://python-jsonschema.readthedocs.io/',
  tracker: 'https://github.com/python-jsonschema/jsonschema/issues',
  usage: "Draft202012Validator({'$ref': '#/…', **document}).validate(body)",
  notes: [
    'It is not asked for names of schemas, such as `$anchor`, since it need not look for them outside of a schema.',
  ],
  abilities: {
    // It knows schemas, and not which of them an operation has.
    validate: async (session, questions) => {
      const isAsked = questions.map(
        ({ target, contentType, body, schema }) =>
          target.startsWith('/') &&
          contentType === 'application/json' &&
          !hasNames(session.document) &&
          body !== undefined &&
          valueAt(session.document, schema) !== undefined,
      );
      const asked = questions.filter((_, index) => isAsked[index]);
      const answers = [...(await judgeByPython(session, asked, driver))];
      return isAsked.map((is) => (is ? answers.shift() : undefined));
    },
  },
};

const driver = `
import json
from urllib.parse import quote
from pathlib import Path
from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

def load():
    return json.load(open('openapi.json'))

# The files beside the document are given by their URIs, which are relative to it.
files = [path for path in Path('.').glob('*/*.json')]
registry = Registry().with_resources((f'{path}', DRAFT202012.create_resource(json.loads(path.read_text()))) for path in files)

def judge(document, question):
    reference = '#' + quote(question['schema'], safe='/~')
    validator = Draft202012Validator({**document, '$ref': reference}, registry=registry)
    # A reference that leads nowhere is an error of its own.
    try:
        error = next(validator.iter_errors(json.loads(question['body'])), None)
    except Exception as error:
        return f'{type(error).__name__}: {error}'
    return '' if error is None else error.message
`;

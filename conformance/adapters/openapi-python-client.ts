import type { CallAnswer } from '../map/abilities/call.ts';
import type { AdapterText } from '../map/adapter.ts';
import { exactJson } from '../map/exact-json.ts';
import type { Session } from '../map/session.ts';

const generate = async ({ run }: Session): Promise<void> => {
  await run([
    'openapi-python-client',
    'generate',
    '--meta',
    'none',
    '--path',
    'openapi.yaml',
    '--output-path',
    'client',
  ]);
};

export const tool: AdapterText = {
  name: 'openapi-python-client',
  kind: 'generator',
  language: 'Python',
  registry: 'pypi',
  package: 'openapi-python-client',
  version: '0.29.1',
  homepage: 'https://github.com/openapi-generators/openapi-python-client',
  tracker: 'https://github.com/openapi-generators/openapi-python-client/issues',
  abilities: {
    load: generate,
    call: async (session, questions) => {
      await generate(session);
      await Bun.write(session.file('questions.json'), exactJson(questions));
      await Bun.write(session.file('driver.py'), driver);
      const { text } = await session.run(['python3', 'driver.py'], { isHidden: true });
      return text
        .trim()
        .split('\n')
        .map((line): CallAnswer => JSON.parse(line));
    },
  },
};

/** Its functions have the name of the operation in snake case, and take a model as the body. */
const driver = `
import importlib, json, re, typing
from client import Client, types

snake = lambda name: re.sub(r'(?<!^)(?=[A-Z])', '_', name).lower()

def call(question):
    module = importlib.import_module('client.api.default.' + snake(question['operationId']))
    arguments = {snake(k): v for k, v in {**question.get('path', {}), **question.get('query', {})}.items()}
    if 'body' in question:
        hint = typing.get_type_hints(module.sync_detailed, localns=vars(types))['body']
        models = [model for model in typing.get_args(hint) or (hint,) if hasattr(model, 'from_dict')]
        for model in models:
            try:
                arguments['body'] = model.from_dict(question['body'])
                break
            except Exception as error:
                failure = error
        else:
            raise failure
    parsed = module.sync_detailed(client=Client(base_url=question['baseUrl']), **arguments).parsed
    return {'value': json.dumps(parsed.to_dict() if hasattr(parsed, 'to_dict') else parsed)}

for question in json.load(open('questions.json')):
    try:
        print(json.dumps(call(question)))
    except Exception as error:
        print(json.dumps({'error': repr(error)}))
`;

import type { CallAnswer } from '../map/abilities/call.ts';
import type { AdapterText } from '../map/adapter.ts';
import type { Session } from '../map/session.ts';
import { textOfFiles } from './shared/code.ts';
import { askPython, snakeCase } from './shared/python.ts';

const generate = async ({ run }: Session): Promise<void> => {
  const paths = ['--path', 'openapi.yaml', '--output-path', 'client'];
  await run(['openapi-python-client', 'generate', '--meta', 'none', ...paths]);
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
      return askPython<CallAnswer>(session, questions, driver);
    },
    // Only whether there is code for a webhook or a callback. The rest is a question to the type checker that a user chooses.
    typeCheck: async (session, questions) => {
      await generate(session);
      const modules = [...new Bun.Glob('client/api/*/*.py').scanSync(session.folder)];
      return questions.map(({ operation }) =>
        operation === undefined || modules.some((path) => path.endsWith(`/${snakeCase(operation)}.py`))
          ? undefined
          : { isAccepted: false, isMissing: true },
      );
    },
    code: async (session) => {
      await generate(session);
      return textOfFiles(session, 'client/**/*.py');
    },
  },
};

/** Its functions have the name of the operation in snake case, are in a module by tag, and take a model as the body. */
const driver = `
import importlib, json, pkgutil, re, typing
import client.api
from client import Client, types

snake = lambda name: re.sub(r'(?<!^)(?=[A-Z])', '_', name).lower()

def module_of(name):
    for module in pkgutil.walk_packages(client.api.__path__, 'client.api.'):
        if module.name.endswith('.' + name):
            return importlib.import_module(module.name)

def body_of(function, value):
    hint = typing.get_type_hints(function, localns=vars(types))['body']
    kinds = typing.get_args(hint) if typing.get_origin(hint) is not list else (hint,)
    models = [model for model in kinds or (hint,) if hasattr(model, 'from_dict')]
    for model in models:
        try:
            return model.from_dict(value)
        except Exception as error:
            failure = error
    if models:
        raise failure
    return value

def plain(value):
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value.to_dict() if hasattr(value, 'to_dict') else value

def ask(question):
    module = module_of(snake(question['operationId']))
    if module is None:
        return None
    given = {**question.get('path', {}), **question.get('query', {}), **question.get('header', {})}
    arguments = {snake(name): value for name, value in given.items()}
    if 'body' in question:
        arguments['body'] = body_of(module.sync_detailed, question['body'])
    parsed = module.sync_detailed(client=Client(base_url=question['baseUrl']), **arguments).parsed
    return {'value': json.dumps(plain(parsed))}
`;

import type { CallAnswer } from '../measure/abilities/call.ts';
import type { Judgement } from '../measure/abilities/validate.ts';
import type { AdapterText } from '../measure/adapter.ts';
import { Refusal, type Session } from '../measure/session.ts';
import { oneSidedMembers, schemaNameOf } from './shared/body.ts';
import { textOfFiles } from './shared/code.ts';
import { askPython, snakeCase } from './shared/python.ts';

const generate = async ({ run }: Session): Promise<void> => {
  const paths = ['--path', 'openapi.yaml', '--output-path', 'client'];
  const command = ['openapi-python-client', 'generate', '--meta', 'none', ...paths];
  const { text, exitCode } = await run(command, { mayFail: true });
  if (exitCode !== 0) throw new Refusal(/Value error, (.*?)(?: \[type=|$)/m.exec(text)?.[1] ?? text);
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
    // Only whether there is code for a webhook or a callback, and whether a model takes a member that its schema does not describe or that is
    // read-only or write-only. The rest is a question to the type checker that a user chooses.
    typeCheck: async (session, questions) => {
      await generate(session);
      const modules = [...new Bun.Glob('client/api/*/*.py').scanSync(session.folder)];
      const isThere = (operation: string) => modules.some((path) => path.endsWith(`/${snakeCase(operation)}.py`));
      const asked = questions.map(({ operation, schema, side, status, contentType, literal }) => {
        if (operation !== undefined && !isThere(operation)) return null;
        const model = schema ?? schemaNameOf(session.document, { operation, side, status, contentType });
        return model === undefined ? null : { model, literal, oneSided: oneSidedMembers(session.document, model) };
      });
      const answers = await askPython<Judgement | { readonly error: string }>(session, asked, driver);
      return questions.map(({ operation }, index) => {
        if (operation !== undefined && !isThere(operation)) return { isAccepted: false, isMissing: true };
        const answer = answers[index];
        if (answer !== undefined && 'error' in answer) throw new Error(answer.error);
        return answer;
      });
    },
    code: async (session) => {
      await generate(session);
      return textOfFiles(session, 'client/**/*.py');
    },
  },
};

/**
 * Its functions have the name of the operation in snake case, are in a module by tag, and take a model as the body. A model has members that
 * the schema does not describe where it can be indexed.
 */
const driver = `
import importlib, json, pkgutil, re, types as pytypes, typing
import attrs
import client.api, client.models
from client import Client, types

snake = lambda name: re.sub(r'(?<!^)(?=[A-Z])', '_', name).lower()

def module_of(name):
    for module in pkgutil.walk_packages(client.api.__path__, 'client.api.'):
        if module.name.endswith('.' + name):
            return importlib.import_module(module.name)

def hints_of(thing):
    return typing.get_type_hints(thing, localns={**vars(types), **vars(client.models)})

def kinds_of(hint):
    return typing.get_args(hint) if typing.get_origin(hint) in (typing.Union, pytypes.UnionType) else (hint,)

# A name that Python has for itself gets an underscore.
member_of = lambda hints, name: snake(name) if snake(name) in hints else snake(name) + '_'

def build(hint, value):
    if isinstance(value, list):
        items = [typing.get_args(kind)[0] for kind in kinds_of(hint) if typing.get_origin(kind) is list]
        return [build(items[0], item) for item in value] if items else value
    models = [kind for kind in kinds_of(hint) if attrs.has(kind)]
    if not isinstance(value, dict) or not models:
        return value
    model = min(models, key=lambda model: misfits(model, value))
    hints = hints_of(model)
    known = {name: member for name, member in value.items() if member_of(hints, name) in hints}
    own = {member_of(hints, name): member for name, member in known.items()}
    made = model(**{name: build(hints[name], member) for name, member in own.items()})
    for name in value.keys() - known.keys():
        made[name] = value[name]
    return made

def misfits(model, value):
    hints = hints_of(model)
    own = {field.name for field in attrs.fields(model) if field.init}
    given = {member_of(hints, name): member for name, member in value.items()}
    constants = [name for name in own & given.keys() if typing.get_origin(hints[name]) is typing.Literal]
    wrong = [name for name in constants if given[name] not in typing.get_args(hints[name])]
    return len(own ^ given.keys()) + 100 * len(wrong)

def plain(value):
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value.to_dict() if hasattr(value, 'to_dict') else value

def take(model, question):
    hints = hints_of(model)
    if all(member_of(hints, name) in hints and name not in question['oneSided'] for name in question['literal']):
        return None
    try:
        build(model, question['literal'])
        return {'isAccepted': True}
    except TypeError as error:
        return {'isAccepted': False, 'line': str(error)}

def ask(question):
    if question is None:
        return None
    if 'literal' in question:
        model = getattr(client.models, question['model'], None)
        return take(model, question) if attrs.has(model) and isinstance(question['literal'], dict) else None
    module = module_of(snake(question['operationId']))
    if module is None:
        return None
    given = {**question.get('path', {}), **question.get('query', {}), **question.get('header', {})}
    hints = hints_of(module.sync_detailed)
    own = {member_of(hints, name): value for name, value in given.items()}
    arguments = {name: build(hints[name], value) for name, value in own.items()}
    if 'body' in question:
        arguments['body'] = build(hints['body'], question['body'])
    parsed = module.sync_detailed(client=Client(base_url=question['baseUrl']), **arguments).parsed
    return {'value': json.dumps(plain(parsed))}
`;

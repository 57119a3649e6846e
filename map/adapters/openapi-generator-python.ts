import type { CallAnswer } from '../measure/abilities/call.ts';
import type { Judgement } from '../measure/abilities/validate.ts';
import type { AdapterText } from '../measure/adapter.ts';
import { Refusal, type Session } from '../measure/session.ts';
import { textOfFiles } from './shared/code.ts';
import { makeOnce } from './shared/once.ts';
import { generateWith, openapiGenerator, urlOfDocument } from './shared/openapi-generator.ts';
import { askPython } from './shared/python.ts';

const generate = (session: Session) => makeOnce(session, 'client', '', () => generateWith(session, 'python', []));

const ask = async <Answer>(session: Session, questions: readonly unknown[]) => {
  try {
    return await askPython<Answer>(session, questions, driver);
  } catch (error) {
    const [place] = /File "client\/[\s\S]*?\nSyntaxError: .*/.exec(`${error}`) ?? [];
    if (place === undefined) throw error;
    const [line = '', ...others] = place.split('\n').slice(-3);
    throw new Refusal(`The generated code is no Python: ${line.trim()} ${others.at(-1)}`, 'generated, does not load');
  }
};

export const tool: AdapterText = {
  ...openapiGenerator,
  name: 'OpenAPI Generator (python)',
  language: 'Python',
  registry: 'pypi',
  package: 'openapi-generator-cli',
  needs: ['java'],
  // What the generated `requirements.txt` names.
  with: { urllib3: '2.8.0', 'python-dateutil': '2.9.0.post0', pydantic: '2.14.4', 'typing-extensions': '4.16.0' },
  abilities: {
    load: generate,
    // Whether a model takes the value: its classes check it when they are made.
    typeCheck: async (session, questions) => {
      await generate(session);
      return ask<Judgement>(session, questions);
    },
    call: async (session, questions) => {
      await generate(session);
      return ask<CallAnswer>(session, questions);
    },
    locate: async (session, questions) => {
      await generateWith(session, 'python', [], urlOfDocument(questions));
      return ask<CallAnswer>(
        session,
        questions.map((question) => ({ ...question, baseUrl: null })),
      );
    },
    code: async (session) => {
      await generate(session);
      return textOfFiles(session, 'client/openapi_client/{api,models}/*.py');
    },
  },
};

/**
 * A method has the name of the operation in snake case, and takes a model as the body. A model is made of its members, and one of `oneOf` of
 * the first branch that takes the value.
 */
const driver = `
import inspect, json, re, sys, typing
sys.path.insert(0, 'client')
import openapi_client
from pydantic import BaseModel

snake = lambda name: re.sub(r'(?<!^)(?=[A-Z])', '_', name).lower()

def apis(client=None):
    return [kind(client) for name, kind in vars(openapi_client).items() if name.endswith('Api') and inspect.isclass(kind)]

def find(name, client=None):
    return next((getattr(api, snake(name)) for api in apis(client) if hasattr(api, snake(name))), None)

def body_of(method):
    own = [name for name in inspect.signature(method).parameters if not name.startswith('_')]
    return own[-1] if own else None

def models_in(hint):
    kinds = typing.get_args(hint) or (hint,)
    return [kind for kind in kinds if inspect.isclass(kind) and issubclass(kind, BaseModel)]

def build(hint, value):
    models = models_in(hint)
    if not models or not isinstance(value, dict):
        return value
    model = models[0]
    if 'actual_instance' not in model.model_fields:
        return model(**value)
    problem = None
    for branch in models_in(typing.get_type_hints(model)['actual_instance']):
        try:
            return model(branch(**value))
        except ValueError as error:
            problem = error
    raise problem

# The methods of a model leave out what is read-only, which its attributes have.
def plain(value):
    if getattr(value, 'actual_instance', None) is not None:
        return plain(value.actual_instance)
    if isinstance(value, BaseModel):
        return {**value.model_dump(by_alias=True, exclude_none=True), **value.to_dict()}
    return value

def judge(question):
    missing = {'isAccepted': False, 'isMissing': True}
    if 'schema' in question:
        hint = getattr(openapi_client, question['schema'], None)
    else:
        method = find(question['operation'])
        if method is None:
            return missing
        hints = typing.get_type_hints(method)
        hint = hints['return'] if question.get('side') == 'response' else hints[body_of(method)]
    if hint is None:
        return missing
    if models_in(hint) and not isinstance(question['literal'], dict):
        return {'isAccepted': False, 'line': f'it is no {hint.__name__}'}
    try:
        taken = plain(build(hint, question['literal']))
    except ValueError as error:
        return {'isAccepted': False, 'line': ': '.join(str(error).split(chr(10))[1:3])}
    return {'isAccepted': taken == question['literal'], 'line': json.dumps(taken)}

def ask(question):
    if 'literal' in question:
        return judge(question)
    configuration = openapi_client.Configuration(host=question['baseUrl'])
    method = find(question['operationId'], openapi_client.ApiClient(configuration))
    if method is None:
        return None
    given = {**question.get('path', {}), **question.get('query', {}), **question.get('header', {})}
    arguments = {snake(name): value for name, value in given.items()}
    if 'body' in question:
        name = body_of(method)
        arguments[name] = build(typing.get_type_hints(method)[name], question['body'])
    if 'contentType' in question:
        arguments['_content_type'] = question['contentType']
    return {'value': json.dumps(plain(method(**arguments)))}
`;

import type { AdapterText } from '../measure/adapter.ts';
import type { Session } from '../measure/session.ts';
import { isAboutHeaders } from './shared/body.ts';
import { textOfFiles } from './shared/code.ts';
import { snakeCase } from './shared/python.ts';
import { judgeByPython } from './shared/python-validator.ts';

const generate = async ({ run }: Session): Promise<void> => {
  await run(['fastapi-codegen', '--input', 'openapi.yaml', '--output', 'server', '--strict-nullable']);
};

export const tool: AdapterText = {
  name: 'fastapi-code-generator',
  kind: 'generator',
  language: 'Python',
  registry: 'pypi',
  package: 'fastapi-code-generator',
  version: '0.8.1',
  with: { fastapi: '0.165.0', httpx: '0.28.1' },
  homepage: 'https://koxudaxi.github.io/fastapi-code-generator/',
  tracker: 'https://github.com/koxudaxi/fastapi-code-generator/issues',
  abilities: {
    load: generate,
    validate: async (session, questions) => {
      await generate(session);
      const answers = await judgeByPython(session, questions, driver, 'generated, does not load');
      return answers.map((answer, index) => {
        const question = questions[index];
        // The functions that a user writes return bodies.
        return question?.side === 'response' && isAboutHeaders(question, questions) ? undefined : answer;
      });
    },
    // Only whether there is code for a webhook or a callback.
    typeCheck: async (session, questions) => {
      await generate(session);
      const text = await textOfFiles(session, 'server/*.py');
      return questions.map(({ operation }) =>
        operation === undefined || text.includes(`def ${snakeCase(operation)}(`)
          ? undefined
          : { isAccepted: false, isMissing: true },
      );
    },
    code: async (session) => {
      await generate(session);
      return textOfFiles(session, 'server/*.py');
    },
  },
};

/** A user writes the bodies of its functions: here each returns the value of the question. */
const driver = `
import json, re
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient

def load():
    from server.main import app
    return app

def judge(app, question):
    # Where the server is mounted is told when it is started.
    template = re.sub(r'[{].*?[}]', '[^?]*', question['path'])
    if not re.match(template + '([?]|$)', question['target']) or not question['target'].startswith('/'):
        return None
    is_request = question['side'] == 'request'
    text, kind = question.get('body'), question['contentType']
    routes = [route for route in app.routes if isinstance(route, APIRoute) and route.path == question['path']
              and question['method'].upper() in route.methods]
    if not routes:
        return f"There is no {question['operationId']}." if is_request else None
    route = routes[0]
    if not is_request and ((route.status_code or 200) != question['status'] or not kind.endswith('json')):
        return None
    sent = text if is_request else question.get('requestBody')
    reached = []

    def answer(**_):
        reached.append(True)
        return None if is_request else json.loads(text)

    route.dependant.call = answer
    headers = {**question['headers'], **({'content-type': kind if is_request else 'application/json'} if sent else {})}
    client = TestClient(app, raise_server_exceptions=False)
    response = client.request(question['method'], question['target'], headers=headers, content=sent)
    if is_request:
        return '' if reached else f'{response.status_code} {response.text}'
    # A request that is refused has no response.
    if not reached:
        return None
    return '' if response.status_code < 400 else f'{response.status_code}: the response does not match its model'
`;

import type { AdapterText } from '../measure/adapter.ts';
import { judgeByPython } from './shared/python-validator.ts';

export const tool: AdapterText = {
  name: 'connexion',
  kind: 'validator',
  language: 'Python',
  registry: 'pypi',
  package: 'connexion',
  version: '3.3.0',
  with: { httpx: '0.28.1' },
  homepage: 'https://connexion.readthedocs.io/',
  tracker: 'https://github.com/spec-first/connexion/issues',
  usage: "AsyncApp(__name__).add_api('openapi.yaml', validate_responses=True)",
  notes: [
    'The variable `BEARERINFO_FUNC` names the function that knows the tokens, as its documentation says, and `resolver` those of operations.',
  ],
  abilities: { validate: (session, questions) => judgeByPython(session, questions, driver) },
};

const driver = `
import json, os
from connexion import AsyncApp
from connexion.resolver import Resolution, Resolver

reply = None

# Any token is right: only the service knows which are.
os.environ['BEARERINFO_FUNC'] = f'{__name__}.bearer_info'

def bearer_info(token, **_):
    return {'sub': token}

async def answer(*_, **__):
    return reply

class Anything(Resolver):
    def resolve(self, operation):
        return Resolution(answer, operation.operation_id)

def load():
    app = AsyncApp(__name__)
    app.add_api('openapi.yaml', validate_responses=True, resolver=Anything())
    client = app.test_client()
    client.get('/no-such-path')
    return client

def judge(client, question):
    global reply
    if not question['target'].startswith('/'):
        return None
    is_response = question['side'] == 'response'
    body = question.get('requestBody') if is_response else question.get('body')
    headers = dict(question['headers'])
    if body is not None:
        headers['content-type'] = 'application/json' if is_response else question['contentType']
    headers_of_reply = {**question['responseHeaders'], 'content-type': question['contentType']}
    text = question.get('body') or ''
    content = json.loads(text) if question['contentType'] == 'application/json' and text else text
    reply = (content, question['status'], headers_of_reply) if is_response else ('', 204)
    response = client.request(question['method'], question['target'], headers=headers, content=body)
    return '' if response.status_code < (500 if is_response else 400) else ' '.join(f'{response.status_code} {response.text}'.split())
`;

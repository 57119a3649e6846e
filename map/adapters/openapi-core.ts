import type { AdapterText } from '../measure/adapter.ts';
import { judgeByPython } from './shared/python-validator.ts';

export const tool: AdapterText = {
  name: 'openapi-core',
  kind: 'validator',
  language: 'Python',
  registry: 'pypi',
  package: 'openapi-core',
  version: '0.23.1',
  homepage: 'https://github.com/python-openapi/openapi-core',
  tracker: 'https://github.com/python-openapi/openapi-core/issues',
  usage:
    "OpenAPI.from_file_path('openapi.yaml', Config(extra_media_type_deserializers={'application/merge-patch+json': json.loads})).unmarshal_request(request)",
  notes: [
    'It decodes `application/json`. For `application/merge-patch+json` its users set `extra_media_type_deserializers`, as its documentation says.',
  ],
  abilities: { validate: (session, questions) => judgeByPython(session, questions, driver) },
};

/** A request with a name is one of a webhook. */
const driver = `
import json
from urllib.parse import parse_qs, urlsplit
from openapi_core import Config, OpenAPI
from openapi_core.testing import MockRequest, MockResponse

config = Config(extra_media_type_deserializers={'application/merge-patch+json': json.loads})
load = lambda: OpenAPI.from_file_path('openapi.yaml', config=config)

def judge(api, question):
    parts = urlsplit(question['target'])
    is_response = question['side'] == 'response'
    body = (question.get('requestBody') if is_response else question.get('body')) or ''
    request = MockRequest(
        'http://localhost', question['method'], parts.path, args={k: v[0] for k, v in parse_qs(parts.query).items()},
        headers=question['headers'], data=body.encode(),
        content_type='application/json' if is_response else question['contentType'],
    )
    kind = '' if question['target'].startswith('/') else '_webhook'
    if kind:
        request.name = question['path']
    if is_response:
        response = MockResponse(
            (question.get('body') or '').encode(), status_code=question['status'],
            headers=question['responseHeaders'], content_type=question['contentType'],
        )
        result = getattr(api, f'unmarshal{kind}_response')(request, response)
    else:
        result = getattr(api, f'unmarshal{kind}_request')(request)
    for error in result.errors:
        causes = [f'{cause}' for cause in getattr(error.__cause__, 'schema_errors', [error.__cause__])]
        return ': '.join([f'{error}', *causes]).split(chr(10))[0]
    return ''
`;

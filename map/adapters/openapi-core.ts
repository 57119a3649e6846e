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
    'It is asked without its check of the document, `spec_validator_cls=None`, which refuses a path item with operations beside a reference.',
    'It decodes `application/json`. For `application/merge-patch+json` its users set `extra_media_type_deserializers`, as its documentation says.',
  ],
  abilities: { validate: (session, questions) => judgeByPython(session, questions, driver) },
};

/** A request with a name is one of a webhook. */
const driver = `
import json
from urllib.parse import parse_qs, unquote, urlsplit
from openapi_core import Config, OpenAPI
from openapi_core.testing import MockRequest, MockResponse

config = Config(spec_validator_cls=None, extra_media_type_deserializers={'application/merge-patch+json': json.loads})
load = lambda: OpenAPI.from_file_path('openapi.yaml', config=config)

def judge(api, question):
    parts = urlsplit(question['target'])
    is_response = question['side'] == 'response'
    body = (question.get('requestBody') if is_response else question.get('body')) or ''
    request = MockRequest(
        # A framework has decoded the path, and has all values of a parameter.
        'http://localhost', question['method'], unquote(parts.path), args=parse_qs(parts.query, keep_blank_values=True),
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
        return ': '.join(without_repetition(words_of(error)))
    return ''

def words_of(error):
    causes = list(getattr(error, 'schema_errors', [])) or ([error.__cause__] if error.__cause__ else [])
    # Of an error of the schema, the message: what is below it prints the schema and the instance.
    return [getattr(error, 'message', None) or f'{error}', *[word for cause in causes for word in words_of(cause)]]

def without_repetition(words):
    return [word for index, word in enumerate(words) if not any(word in before for before in words[:index])]
`;

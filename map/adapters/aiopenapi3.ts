import type { CallAnswer, CallQuestion } from '../measure/abilities/call.ts';
import type { AdapterText } from '../measure/adapter.ts';
import { Refusal, type Session } from '../measure/session.ts';
import { askPython } from './shared/python.ts';
import { judgeByPython } from './shared/python-validator.ts';

const call = (session: Session, questions: readonly CallQuestion[], isLocated = false) =>
  askPython<CallAnswer>(
    session,
    questions.map((question) => ({ ...question, isLocated })),
    callDriver,
  );

export const tool: AdapterText = {
  name: 'aiopenapi3',
  kind: 'other',
  language: 'Python',
  registry: 'pypi',
  package: 'aiopenapi3',
  version: '0.11.0',
  homepage: 'https://github.com/commonism/aiopenapi3',
  tracker: 'https://github.com/commonism/aiopenapi3/issues',
  usage:
    "OpenAPI.load_file(url, 'openapi.yaml', loader=FileSystemLoader(Path('.'))).createRequest(operationId).request(parameters, data)",
  abilities: {
    load: async (session) => {
      const [answer] = await askPython<CallAnswer>(session, [{}], loadDriver);
      if (answer?.error !== undefined) throw new Refusal(answer.error);
    },
    validate: (session, questions) => judgeByPython(session, questions, validateDriver),
    call: (session, questions) => call(session, questions),
    locate: (session, questions) => call(session, questions, true),
  },
};

const open = `
import json, httpx2, pydantic
from pathlib import Path
from aiopenapi3 import FileSystemLoader, OpenAPI
from aiopenapi3.errors import ErrorBase, RequestError

def open_document(url, servers, session_factory=httpx2.Client):
    document = json.load(open('openapi.json'))
    if servers:
        document['servers'] = servers
    return OpenAPI.loads(url + '/openapi.json', json.dumps(document), session_factory, FileSystemLoader(Path('.')))
`;

const loadDriver = `${open}
def ask(_):
    open_document('http://localhost', None).createRequest
    return {}
`;

const callDriver = `${open}
def ask(question):
    url = question['baseUrl']
    api = open_document(url, None if question['isLocated'] else [{'url': url}])
    try:
        request = api.createRequest(question['operationId'])
    except RequestError:
        return None
    parameters = {**question.get('path', {}), **question.get('query', {}), **question.get('header', {})}
    data = question.get('body')
    form = (getattr(request.operation.requestBody, 'content', None) or {}).get('multipart/form-data')
    if form is not None:
        # A form is given as a value of its model.
        data = form.schema_.get_type().model_validate(data)
    value = request(parameters=parameters or None, data=data)
    if isinstance(value, pydantic.BaseModel):
        return {'value': value.model_dump_json(exclude_unset=True, by_alias=True)}
    return {'value': json.dumps(value)} if value is None or isinstance(value, (str, int, float, list, dict)) else {}
`;

/** The type of a body is that of JSON, and webhooks have none. */
const validateDriver = `${open}
from urllib.parse import parse_qsl, urlsplit

reply = None
transport = httpx2.MockTransport(lambda _: reply)

def client(**options) -> httpx2.Client:
    return httpx2.Client(transport=transport, **options)

# Without servers it cannot call: they are no empty list, but one server with the URL '/'.
load = lambda: open_document('http://localhost', [{'url': '/'}], client)

def judge(api, question):
    global reply
    if not question['target'].startswith('/'):
        return None
    try:
        request = api.createRequest(question['operationId'])
    except RequestError:
        return f"RequestError: {question['operationId']}"
    text = question.get('body')
    parts = urlsplit(question['target'])
    parameters = dict(parse_qsl(parts.query)) | dict(question['headers'])
    for name, value in zip(question['path'].split('/'), parts.path.split('/')):
        if name.startswith('{'):
            parameters[name[1:-1]] = value
    try:
        if question['side'] == 'request':
            if text is None or question['contentType'] != 'application/json':
                return None
            request.data.get_type().model_validate_json(text)
        else:
            headers = {**question['responseHeaders'], 'content-type': question['contentType']}
            reply = httpx2.Response(question['status'], headers=headers, content=(text or '').encode())
            given = question.get('requestBody')
            request(parameters=parameters or None, data=None if given is None else json.loads(given))
    except (pydantic.ValidationError, ErrorBase) as error:
        return ' '.join(f'{type(error).__name__} {error!r}'.split())[:300]
    return ''
`;

import type { CallAnswer } from '../measure/abilities/call.ts';
import type { AdapterText } from '../measure/adapter.ts';
import { Refusal } from '../measure/session.ts';
import { isInFiles } from './shared/files.ts';
import { askPython } from './shared/python.ts';

export const tool: AdapterText = {
  name: 'FastMCP',
  kind: 'other',
  language: 'Python',
  registry: 'pypi',
  package: 'fastmcp',
  version: '4.2.3',
  homepage: 'https://gofastmcp.com/',
  tracker: 'https://github.com/PrefectHQ/fastmcp/issues',
  usage: 'FastMCP.from_openapi(json.load(open("openapi.json")), client=httpx2.AsyncClient(base_url=url))',
  abilities: {
    load: async (session) => {
      if (isInFiles(session)) return;
      const [answer] = await askPython<CallAnswer>(session, [{}], driver);
      if (answer?.error !== undefined) throw new Refusal(answer.error);
    },
    // A call of a tool has the members of the body beside the parameters, and suffixes where both have a name.
    call: async (session, questions) =>
      isInFiles(session) ? questions.map(() => undefined) : askPython<CallAnswer>(session, questions, driver),
  },
};

const driver = `
import asyncio, json, httpx2
from fastmcp import Client, FastMCP

async def call(question):
    async with httpx2.AsyncClient(base_url=question.get('baseUrl', 'http://localhost')) as http:
        server = FastMCP.from_openapi(json.load(open('openapi.json')), client=http)
        async with Client(server) as client:
            tools = {tool.name: tool for tool in await client.list_tools()}
            if 'operationId' not in question:
                return {}
            tool = tools.get(question['operationId'])
            if tool is None:
                return None
            body = question.get('body')
            given = body if isinstance(body, dict) else {} if body is None else {'body': body}
            for place in ('path', 'query', 'header'):
                for name, value in question.get(place, {}).items():
                    other = f'{name}__{place}'
                    given = {**given, other if other in tool.input_schema['properties'] else name: value}
            result = await client.call_tool(tool.name, given)
            value = result.structured_content
            if (tool.output_schema or {}).get('x-fastmcp-wrap-result'):
                value = value['result']
            return {} if value is None else {'value': json.dumps(value)}

ask = lambda question: asyncio.run(call(question))
`;

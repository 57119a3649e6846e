import type { CallQuestion } from '../measure/abilities/call.ts';
import type { ValidateQuestion } from '../measure/abilities/validate.ts';
import type { AdapterText } from '../measure/adapter.ts';
import { findOperation, valueAt } from '../measure/operation.ts';
import { Refusal, type Session } from '../measure/session.ts';
import { isInFiles } from './shared/files.ts';
import { namesInPath } from './shared/names.ts';
import { callTypeScript } from './shared/typescript-client.ts';

const generate = async ({ run }: Session, ...options: string[]): Promise<void> => {
  const { text, exitCode } = await run(['openapi-mcp-generator', '--output', 'server', ...options], { mayFail: true });
  if (exitCode !== 0) throw new Refusal(/^\s*message: "(.*)",$/m.exec(text)?.[1] ?? text);
};

const generateFromFile = (session: Session): Promise<void> =>
  generate(
    session,
    ...['--input', 'openapi.yaml', '--base-url', 'http://localhost'],
    // Only for a document in several files: it would ask another host for a schema with an `$id`.
    ...(isInFiles(session) ? ['--allow-external-refs'] : []),
  );

/** Without a base URL, the server takes that of the document. */
const call = (session: Session, questions: readonly CallQuestion[], baseUrlOf?: (url: string) => string) =>
  callTypeScript(session, questions, {
    imports,
    call: ({ operationId, path, query, header, body: requestBody, baseUrl }, literal) => {
      const given = literal({ ...path, ...query, ...header, requestBody });
      return `await callTool(${JSON.stringify(operationId)}, ${given}, ${JSON.stringify(baseUrlOf?.(baseUrl))})`;
    },
  });

export const tool: AdapterText = {
  name: 'openapi-mcp-generator',
  kind: 'generator',
  language: 'TypeScript',
  registry: 'npm',
  package: 'openapi-mcp-generator',
  version: '4.0.1',
  with: {
    '@modelcontextprotocol/sdk': '1.32.2',
    axios: '1.21.1',
    dotenv: '16.6.1',
    'json-schema-to-zod': '2.8.1',
    zod: '3.25.76',
  },
  homepage: 'https://github.com/harsha-iiiv/openapi-mcp-generator',
  tracker: 'https://github.com/harsha-iiiv/openapi-mcp-generator/issues',
  sentences: {
    'relative-server': [
      'wrong',
      'It takes the host of the document without its port: with the document at `http://127.0.0.1:8080/openapi.json`, the server is `http://127.0.0.1/garden`.',
      /ECONNREFUSED/,
    ],
  },
  abilities: {
    load: generateFromFile,
    // Its server refuses arguments that do not match, before it sends a request.
    validate: async (session, questions) => {
      await generateFromFile(session);
      using service = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response(null, { status: 204 }) });
      const asked = questions.filter(
        (question) =>
          question.side === 'request' &&
          question.contentType === 'application/json' &&
          valuesInPath(question) !== undefined &&
          !lacksToken(session, question) &&
          !hasStyles(session, question),
      );
      const answers = await call(session, asked.map(callOf), () => service.url.origin);
      return questions.map((question) => {
        const answer = answers[asked.indexOf(question)];
        if (answer === undefined) return undefined;
        const line = /Invalid arguments.*/.exec(answer.error ?? '')?.[0];
        return line === undefined ? { isAccepted: true } : { isAccepted: false, line };
      });
    },
    call: async (session, questions) => {
      await generateFromFile(session);
      return call(session, questions, (url) => url);
    },
    locate: async (session, questions) => {
      await generate(session, '--input', `${new URL(questions[0]?.baseUrl ?? '').origin}/openapi.json`);
      return call(session, questions);
    },
  },
};

/** The server takes tokens from its environment: no argument has one, and none is refused without it. */
const lacksToken = ({ document }: Session, { operationId, headers }: ValidateQuestion): boolean => {
  const { pointer } = findOperation(document, operationId);
  const security = valueAt(document, `${pointer}/security`) ?? document['security'];
  return Array.isArray(security) && security.length > 0 && headers['authorization'] === undefined;
};

/** An argument is a value, which no style has written. */
const hasStyles = ({ document }: Session, { operationId }: ValidateQuestion): boolean =>
  JSON.stringify(valueAt(document, findOperation(document, operationId).pointer)).includes('"style":');

/** Undefined where the path is not that of the operation, such as below a server, which no argument has. */
const valuesInPath = ({ path, target }: ValidateQuestion): string[] | undefined => {
  const { pathname } = new URL(target, 'http://localhost');
  const found = new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '([^/]+)')}$`).exec(pathname);
  return target.startsWith('/') ? found?.slice(1).map(decodeURIComponent) : undefined;
};

/** The arguments of a request that is to be validated. */
const callOf = (question: ValidateQuestion): CallQuestion => {
  const { operationId, method, path: template, target, headers, body } = question;
  const { searchParams } = new URL(target, 'http://localhost');
  const names = namesInPath(template);
  const values = valuesInPath(question) ?? [];
  return {
    operationId,
    method,
    template,
    baseUrl: '',
    path: Object.fromEntries(names.map((name, index) => [name, typed(values[index] ?? '')])),
    query: Object.fromEntries([...searchParams].map(([name, value]) => [name, typed(value)])),
    header: headers,
    ...(body !== undefined && { body: JSON.parse(body) }),
  };
};

/** A caller gives a number as a number. */
const typed = (text: string): unknown => (/^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text);

const imports = `import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
const callTool = async (name, given, url) => {
  const env = { ...process.env, ...(url !== undefined && { API_BASE_URL: url }) };
  const client = new Client({ name: 'map', version: '1' });
  const server = { command: process.execPath, args: ['server/src/index.ts'], env, stderr: 'ignore' };
  await client.connect(new StdioClientTransport(server));
  try {
    const { content } = await client.callTool({ name, arguments: given });
    const { text } = content[0];
    const [, body] = /^API Response \\(Status: \\d+\\):\\n([^]*)$/.exec(text) ?? [];
    if (body === undefined) throw new Error(text);
    try {
      return JSON.parse(body);
    } catch {
      return body;
    }
  } finally {
    await client.close();
  }
};`;

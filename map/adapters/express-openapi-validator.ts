import type { Server } from 'node:http';
import type Express from 'express';
import type { ErrorRequestHandler } from 'express';
import type Validator from 'express-openapi-validator';
import type { AdapterText } from '../measure/adapter.ts';
import { isJson } from '../measure/exact-json.ts';
import { judgeByServer, replyHeader, replyOf, urlOf } from './shared/validating-server.ts';

export const tool: AdapterText = {
  name: 'express-openapi-validator',
  kind: 'validator',
  language: 'JavaScript',
  registry: 'npm',
  package: 'express-openapi-validator',
  version: '5.6.2',
  isQuick: true,
  with: { express: '5.3.0' },
  homepage: 'https://github.com/cdimascio/express-openapi-validator',
  tracker: 'https://github.com/cdimascio/express-openapi-validator/issues',
  usage:
    "app.use(OpenApiValidator.middleware({ apiSpec: 'openapi.yaml', validateResponses: true, $refParser: { mode: 'dereference' } }))",
  notes: [
    'It is asked with `$refParser: { mode: "dereference" }`. Its default, `bundle`, refuses `$anchor` and `$defs`, and misreads a `oneOf` that is defined after its branches.',
  ],
  abilities: {
    validate: async (session, questions) => {
      const { default: express } = await session.import<{ default: typeof Express }>('express');
      const { middleware } = await session.import<typeof Validator>('express-openapi-validator');
      const onError: ErrorRequestHandler = (error, _, response, __) => {
        response.status(error.status ?? 500).send(`${error.message ?? error}`);
      };
      const server: Server = express()
        .use(express.json({ type: ['application/json', 'application/*+json'] }))
        .use(
          middleware({
            apiSpec: session.file('openapi.yaml'),
            validateResponses: true,
            $refParser: { mode: 'dereference' },
          }),
        )
        .use((request, response) => {
          const reply = replyOf(request.get(replyHeader));
          if (reply === undefined) return response.status(204).end();
          response.status(reply.status).set(reply.headers);
          if (reply.body === '') return response.end();
          if (isJson(reply.contentType)) return response.json(JSON.parse(reply.body));
          return response.type(reply.contentType).send(reply.body);
        })
        .use(onError)
        .listen(0, '127.0.0.1');
      try {
        return await judgeByServer(urlOf(server), questions);
      } finally {
        server.close();
      }
    },
  },
};

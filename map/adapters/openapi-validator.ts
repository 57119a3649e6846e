import type { ValidateQuestion } from '../measure/abilities/validate.ts';
import type { AdapterText } from '../measure/adapter.ts';
import { isJson } from '../measure/exact-json.ts';
import { Refusal } from '../measure/session.ts';

interface Validator {
  readonly makeApiSpec: (document: object) => { readonly validateResponse: (response: object) => Error | null };
  readonly makeResponse: (response: object) => object;
}

/** A response of Axios: the libraries for Jest and Chai take it as it is. */
const responseOf = ({ method, target, status, responseHeaders, contentType, body = '' }: ValidateQuestion) => ({
  status,
  headers: { ...responseHeaders, 'content-type': contentType },
  config: {},
  request: { method, path: target },
  data: isJson(contentType) && body !== '' ? JSON.parse(body) : body,
});

export const tool: AdapterText = {
  name: 'openapi-validator (jest-openapi, chai-openapi-response-validator)',
  kind: 'validator',
  language: 'TypeScript',
  registry: 'npm',
  package: 'openapi-validator',
  version: '0.14.2',
  homepage: 'https://github.com/openapi-library/OpenAPIValidators',
  tracker: 'https://github.com/openapi-library/OpenAPIValidators/issues',
  usage: 'expect(response).toSatisfyApiSpec()',
  notes: ['It judges responses alone, and checks documents of 3.1 by the schema of 3.0.'],
  abilities: {
    validate: async ({ import: imported, document }, questions) => {
      const { makeApiSpec, makeResponse } = await imported<Validator>('openapi-validator');
      const api = (() => {
        try {
          return makeApiSpec(structuredClone(document));
        } catch (error) {
          const [, pointer, message] = /instancePath: '(.*?)'[\s\S]*?message: (.*)/.exec(`${error}`) ?? [];
          throw new Refusal(message === undefined ? `${error}` : `Invalid OpenAPI spec: ${pointer} ${message}`);
        }
      })();
      return questions.map((question) => {
        if (question.side !== 'response' || !question.target.startsWith('/')) return undefined;
        try {
          const problem = api.validateResponse(makeResponse(responseOf(question)));
          return problem === null ? { isAccepted: true } : { isAccepted: false, line: problem.message };
        } catch (error) {
          // A reference that it does not follow.
          throw new Refusal(`${error}`);
        }
      });
    },
  },
};

import { join } from 'node:path';
import type { AdapterText } from '../measure/adapter.ts';
import { lintByGo, resolveByGo, validateByGo } from './shared/go-validator.ts';

const driver = join(import.meta.dir, 'kin-openapi.go');

export const tool: AdapterText = {
  name: 'kin-openapi',
  kind: 'parser',
  language: 'Go',
  registry: 'go',
  package: 'github.com/getkin/kin-openapi',
  version: '0.152.0',
  with: { 'github.com/dlclark/regexp2/v2': '2.12.0' },
  homepage: 'https://github.com/getkin/kin-openapi',
  tracker: 'https://github.com/getkin/kin-openapi/issues',
  usage: 'openapi3.NewLoader().LoadFromFile("openapi.json"), Validate, openapi3filter.ValidateRequest',
  notes: [
    'A program must register a decoder for each media type that it does not know, such as `text/event-stream`: `openapi3filter.RegisterBodyDecoder`.',
    'It compiles patterns with the engine of Go, which does not know `\\u`. It is asked with `regexp2` in the mode of ECMAScript, as its option allows.',
  ],
  sentences: {
    'reference-description': [
      'wrong',
      'The description beside one reference replaces that of the shared parameter everywhere: where `How many events` and `How many things` are right, it has `How many plants`.',
      /events[\s\S]*How many plants/,
    ],
  },
  abilities: {
    validate: validateByGo(driver),
    lint: lintByGo(driver, ['document', 'schema', 'example', 'reference']),
    resolve: resolveByGo(driver),
  },
};

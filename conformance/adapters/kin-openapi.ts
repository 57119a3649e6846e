import { join } from 'node:path';
import type { AdapterText } from '../map/adapter.ts';
import { lintByGo, resolveByGo, validateByGo } from './shared/go-validator.ts';

const driver = join(import.meta.dir, './kin-openapi.go');

export const tool: AdapterText = {
  name: 'kin-openapi',
  kind: 'parser',
  language: 'Go',
  registry: 'go',
  package: 'github.com/getkin/kin-openapi',
  version: '0.152.0',
  homepage: 'https://github.com/getkin/kin-openapi',
  tracker: 'https://github.com/getkin/kin-openapi/issues',
  usage: 'openapi3.NewLoader().LoadFromFile("openapi.json"), Validate, openapi3filter.ValidateRequest',
  abilities: {
    validate: validateByGo(driver),
    lint: lintByGo(driver, ['document', 'schema', 'example', 'reference']),
    resolve: resolveByGo(driver),
  },
};

import { join } from 'node:path';
import type { AdapterText } from '../measure/adapter.ts';
import { lintByGo, resolveByGo, validateByGo } from './shared/go-validator.ts';

const driver = join(import.meta.dir, 'libopenapi-validator.go');

export const tool: AdapterText = {
  name: 'libopenapi-validator',
  kind: 'validator',
  language: 'Go',
  registry: 'go',
  package: 'github.com/pb33f/libopenapi-validator',
  version: '0.16.2',
  with: {
    'github.com/pb33f/libopenapi': '0.42.4',
    'github.com/pb33f/jsonschema/v6': '6.0.3',
    'github.com/dlclark/regexp2/v2': '2.12.0',
  },
  homepage: 'https://github.com/pb33f/libopenapi-validator',
  tracker: 'https://github.com/pb33f/libopenapi-validator/issues',
  usage:
    'libopenapi.NewDocumentWithConfiguration(text, {AllowFileReferences: true, BasePath: "."}), validator.NewValidator(document, config.WithStrictServerMatching()), ValidateDocument, ValidateHttpRequest, ValidateHttpResponse',
  abilities: {
    validate: validateByGo(driver),
    lint: lintByGo(driver, ['document', 'reference']),
    // The model is that of libopenapi.
    resolve: resolveByGo(join(import.meta.dir, 'libopenapi.go')),
  },
};

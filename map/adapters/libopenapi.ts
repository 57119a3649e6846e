import { join } from 'node:path';
import type { AdapterText } from '../measure/adapter.ts';
import { resolveByGo } from './shared/go-validator.ts';

export const tool: AdapterText = {
  name: 'libopenapi',
  kind: 'parser',
  language: 'Go',
  registry: 'go',
  package: 'github.com/pb33f/libopenapi',
  version: '0.42.5',
  homepage: 'https://pb33f.io/libopenapi/',
  tracker: 'https://github.com/pb33f/libopenapi/issues',
  usage:
    'libopenapi.NewDocumentWithConfiguration(text, {AllowFileReferences: true, BasePath: "."}), BuildV3Model, model.Model.RenderInline()',
  abilities: {
    resolve: resolveByGo(join(import.meta.dir, 'libopenapi.go')),
  },
};

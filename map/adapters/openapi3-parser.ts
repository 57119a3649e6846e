import type { AdapterText } from '../measure/adapter.ts';
import { valuesAt } from './shared/parser.ts';
import { modelOfPython } from './shared/python-parser.ts';

export const tool: AdapterText = {
  name: 'openapi3-parser',
  kind: 'parser',
  language: 'Python',
  registry: 'pypi',
  package: 'openapi3-parser',
  version: '2.0.0',
  homepage: 'https://github.com/manchenkoff/openapi3-parser',
  tracker: 'https://github.com/manchenkoff/openapi3-parser/issues',
  usage: "parse('openapi.yaml')",
  abilities: {
    load: async (session) => {
      await modelOfPython(session, driver);
    },
    resolve: async (session, pointers) => valuesAt(await modelOfPython(session, driver), pointers),
  },
};

const driver = `
from openapi_parser import parse

def read():
    return parse('openapi.yaml')

def plain(model):
    return model.model_dump(mode='json', by_alias=True, exclude_unset=True)
`;

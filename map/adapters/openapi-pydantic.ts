import type { AdapterText } from '../measure/adapter.ts';
import { isInFiles } from './shared/files.ts';
import { modelOfPython } from './shared/python-parser.ts';
import { valuesOfModel } from './shared/rust.ts';

export const tool: AdapterText = {
  name: 'openapi-pydantic',
  kind: 'parser',
  language: 'Python',
  registry: 'pypi',
  package: 'openapi-pydantic',
  version: '0.6.0',
  homepage: 'https://github.com/mike-oakley/openapi-pydantic',
  tracker: 'https://github.com/mike-oakley/openapi-pydantic/issues',
  usage: "parse_obj(json.load(open('openapi.json')))",
  abilities: {
    load: async (session) => {
      await modelOfPython(session, driver);
    },
    // Its model has the references as they are.
    resolve: async (session, pointers) =>
      isInFiles(session)
        ? pointers.map(() => undefined)
        : valuesOfModel(await modelOfPython(session, driver), pointers),
  },
};

const driver = `
import json
from openapi_pydantic import parse_obj

def read():
    return parse_obj(json.load(open('openapi.json')))

def plain(model):
    return model.model_dump(mode='json', by_alias=True, exclude_unset=True)
`;

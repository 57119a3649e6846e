import type { Problem } from '../measure/abilities/lint.ts';
import type { AdapterText } from '../measure/adapter.ts';
import { valuesAt } from './shared/parser.ts';
import { askPython } from './shared/python.ts';
import { modelOfPython } from './shared/python-parser.ts';

export const tool: AdapterText = {
  name: 'prance',
  kind: 'parser',
  language: 'Python',
  registry: 'pypi',
  package: 'prance',
  version: '26.7.19.0',
  // Its extras `osv`, which it needs for OpenAPI 3, and `cli`.
  with: { 'openapi-spec-validator': '0.7.2', click: '8.1.8' },
  homepage: 'https://github.com/RonnyPfannschmidt/prance',
  tracker: 'https://github.com/RonnyPfannschmidt/prance/issues',
  usage: "ResolvingParser('openapi.yaml').specification",
  abilities: {
    // It compares the document with the official schema, and follows references.
    lint: async (session, questions) => {
      const asked = questions.map(({ file, level = 'document' }) =>
        level === 'document' || level === 'reference' ? file : null,
      );
      return askPython<Problem[]>(session, asked, lintDriver);
    },
    resolve: async (session, pointers) => valuesAt(await modelOfPython(session, readDriver), pointers),
    rewrite: async ({ run, file }) => {
      await run(['prance', 'compile', 'openapi.yaml', 'compiled.yaml']);
      return Bun.file(file('compiled.yaml')).text();
    },
  },
};

/** The reason of an error without words is in the error before it. */
const readDriver = `
from prance import ResolvingParser

def read(file='openapi.yaml'):
    try:
        return ResolvingParser(file).specification
    except Exception as error:
        before = error.__context__
        if f'{error}' or before is None:
            raise
        raise type(error)(f'{type(before).__name__}: {before}')

def plain(model):
    return model
`;

const lintDriver = `${readDriver}
def ask(file):
    if file is None:
        return None
    try:
        read(file)
    except Exception as error:
        return [{'message': f'{type(error).__name__}: {error}'}]
    return []
`;

/** Colours for blocks of code: the names, texts and comments of YAML and JSON, and the lines of an edit. */
import { CST, Lexer } from 'yaml';

/** The text of a block as HTML, in which some parts have a class. Languages without colours are plain text. */
export const highlight = (text: string, language: string): string => {
  if (language === 'diff') return text.split('\n').map(lineOfEdit).join('\n');
  if (language !== 'yaml' && language !== 'json') return Bun.escapeHTML(text);
  return tokensOf(text)
    .map(({ kind, text }) => mark(kind, text))
    .join('');
};

const mark = (kind: string | undefined, text: string): string =>
  kind === undefined ? Bun.escapeHTML(text) : `<span class="${kind}">${Bun.escapeHTML(text)}</span>`;

const lineOfEdit = (line: string): string => mark({ '+': 'new', '-': 'old' }[line.slice(0, 1)], line);

interface Token {
  readonly kind?: 'name' | 'text' | 'comment';
  readonly text: string;
}

/** The tokens of YAML, of which JSON is a part. Together they are the whole text. */
const tokensOf = (text: string): Token[] => {
  const lexemes = [...new Lexer().lex(text)];
  return lexemes.flatMap((lexeme, index): Token[] => {
    if (isControl(lexeme)) return [];
    const type = lexemes[index - 1] === CST.SCALAR ? 'scalar' : CST.tokenType(lexeme);
    if (type === 'comment') return [{ kind: 'comment', text: lexeme }];
    if (!/scalar$/.test(`${type}`)) return [{ text: lexeme }];
    return [{ kind: lexemes[index + 1] === ':' ? 'name' : 'text', text: lexeme }];
  });
};

/** Signs of the lexer that are not in the text. */
const isControl = (lexeme: string): boolean =>
  [CST.BOM, CST.DOCUMENT, CST.FLOW_END, CST.SCALAR].some((sign) => sign === lexeme);

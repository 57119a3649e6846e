import { describe, expect, test } from 'bun:test';
import { escapeAllButLineEnds, escapeControls } from '../../src/base/printable.ts';

describe('escapeControls', () => {
  test.each([
    [
      'the controls of ASCII',
      '\0\u0007\b\t\n\r\u001b\u007f',
      String.raw`\u0000\u0007\u0008\u0009\u000a\u000d\u001b\u007f`,
    ],
    ['the controls of Latin-1', '\u0080\u0085\u009b\u009f', String.raw`\u0080\u0085\u009b\u009f`],
    [
      'what reorders text',
      '\u061c\u200e\u200f\u202a\u202e\u2066\u2069',
      String.raw`\u061c\u200e\u200f\u202a\u202e\u2066\u2069`,
    ],
    ['what is not visible', '\u00ad\u200b\u200d\u2060\ufeff', String.raw`\u00ad\u200b\u200d\u2060\ufeff`],
    ['other line ends', '\u2028\u2029', String.raw`\u2028\u2029`],
    ['characters above U+FFFF as two units', '\u{e0041}\u{1d173}', String.raw`\udb40\udc41\ud834\udd73`],
  ])('it escapes %s', (_what, text, escaped) => {
    expect(escapeControls(`a${text}b`)).toBe(`a${escaped}b`);
    expect(JSON.parse(`"${escaped}"`)).toBe(text);
  });

  test('it escapes no other character', () => {
    const text = 'aé \u00a0\u3000 中文 עברית 🌱 👍🏽 ❤️ \\u0041 \\n';
    expect(escapeControls(text)).toBe(text);
  });
});

test('escapeAllButLineEnds keeps tabs and line ends, but not a lone CR', () => {
  expect(escapeAllButLineEnds('a\tb\r\nc\n\rd\u2028\r')).toBe('a\tb\r\nc\n\\u000dd\\u2028\\u000d');
});

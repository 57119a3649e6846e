/** The files of the console, packed once for all clients. */
import { hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import source from './console.json' with { type: 'json' };

const fileOf = (type: string, text: string) => ({
  type,
  text: new Blob([text]),
  packed: new Blob([gzipSync(text, { level: 9 })]),
  version: hash('sha256', text, 'base64url').slice(0, 16),
});

export const files = {
  html: source.html,
  'console.js': fileOf('text/javascript', source.script),
  'console.css': fileOf('text/css', source.style),
};

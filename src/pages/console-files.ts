/** The files of the console. */
import source from './console.json' with { type: 'json' };
import { fileOf } from './file.ts';

export const files = {
  html: source.html,
  'console.js': fileOf('text/javascript', source.script),
  'console.css': fileOf('text/css', source.style),
};

/**
 * Reads the document from stdin and writes it for the generators. Its ids and sequence numbers are text, as `exact-json.ts` gives them, so that
 * the types of a client say so too. A duration stays a number.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const document = JSON.parse(readFileSync(0, 'utf8'), (name, value) =>
  value?.format === 'int64' && name !== 'durationMs' ? { type: 'string', description: value.description } : value,
);

mkdirSync('generated', { recursive: true });
writeFileSync('generated/openapi.json', JSON.stringify(document));

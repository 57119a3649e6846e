/** Prints the document as OpenAPI 3.2.0; `bun run openapi` writes it to `openapi-3.2.json`. */
import { operations } from '../src/http/app.ts';
import { createDocument } from '../src/http/document/document.ts';
import { toOpenApi32 } from '../src/http/document/openapi-3.2.ts';

console.log(JSON.stringify(toOpenApi32(createDocument(operations)), null, 2));

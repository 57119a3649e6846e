/** Prints the document as OpenAPI 3.0.3; `bun run openapi` writes it to `openapi-3.0.json`. */
import { operations } from '../src/http/app.ts';
import { createDocument } from '../src/http/document/document.ts';
import { toOpenApi30 } from '../src/http/document/openapi-3.0.ts';

console.log(JSON.stringify(toOpenApi30(createDocument(operations)), null, 2));

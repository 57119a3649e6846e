/** Prints the document as OpenAPI 3.0.3; `bun run openapi` writes it to `openapi-3.0.json`. */

import { createDocument } from '../src/document/document.ts';
import { toOpenApi30 } from '../src/document/openapi-3.0.ts';
import { operations } from '../src/http/app.ts';

console.log(JSON.stringify(toOpenApi30(createDocument(operations)), null, 2));

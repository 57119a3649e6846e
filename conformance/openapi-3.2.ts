/** Prints the document as OpenAPI 3.2.0; `bun run openapi` writes it to `openapi-3.2.json`. */

import { createDocument } from '../src/document/document.ts';
import { toOpenApi32 } from '../src/document/openapi-3.2.ts';
import { operations } from '../src/http/app.ts';

console.log(JSON.stringify(toOpenApi32(createDocument(operations)), null, 2));

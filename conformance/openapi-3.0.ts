/** Prints the document as OpenAPI 3.0.3; `bun run openapi` writes it to `openapi-3.0.json`. */
import { createDocument } from '../src/http/openapi.ts';
import { toOpenApi30 } from '../src/http/openapi-3.0.ts';

console.log(JSON.stringify(toOpenApi30(createDocument()), null, 2));

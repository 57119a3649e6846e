/** The client of @hey-api/openapi-ts asks for this name of the browser's, which Bun's types know by another. */
type BodyInit = NonNullable<RequestInit['body']>;

/** It has no types of its own. */
declare module 'oas-validator' {
  export const validate: (document: object, options: object) => Promise<{ valid: boolean }>;
}

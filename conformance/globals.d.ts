/** The client of @hey-api/openapi-ts uses this type of browsers, which has another name in Bun's types. */
type BodyInit = NonNullable<RequestInit['body']>;

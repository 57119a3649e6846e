/** Whether schemas have names of their own, which a validator of JSON Schema need not look for in the members of OpenAPI. */
export const hasNames = (document: unknown): boolean =>
  /"\$(?:id|anchor|dynamicAnchor)":/.test(JSON.stringify(document));

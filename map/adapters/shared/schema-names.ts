/** Whether schemas or the document have names of their own, which a validator of JSON Schema need not look for in the members of OpenAPI. */
export const hasNames = (document: unknown): boolean =>
  /"\$(?:id|anchor|dynamicAnchor|self)":/.test(JSON.stringify(document));

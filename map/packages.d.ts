/** The package has no types. */
declare module 'oas-validator' {
  export const validate: (document: object, options: object) => Promise<{ valid: boolean }>;
}

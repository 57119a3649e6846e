/** The bodies of the programs of producers that read schemas of zod. */
export const zodBodies = {
  'type-arrays': 'z.object({ tag: z.string().nullable() })',
  'prefix-items': 'z.object({ spot: z.tuple([z.number().int(), z.string()]) })',
  'exclusive-minimum': 'z.object({ leaves: z.number().int().gt(0) })',
} as const;

export const anyBody = 'z.object({ name: z.string() })';

import { scopes } from './token.ts';

/**
 * The data of `serve --demo`. The examples of the document are made from it, so that each one is true in the demo. It does not
 * depend on the current time or on random numbers.
 */

/** These tokens are public, as their texts show. */
export const demoToken = 'plant_ThisTokenIsPublicUseItForTests0JVZRz';
export const readerToken = 'plant_ThisPublicTokenMayOnlyReadData0NrsjV';

export const demo = { name: 'demo', scopes };
export const reader = { name: 'reader', scopes: ['plants:read'], expiresAt: '2099-12-31T23:59:59.000Z' } as const;

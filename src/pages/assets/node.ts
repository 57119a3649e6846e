/** Node.js and Deno have the files of the page beside the program. */
import type { EmbeddedAssets } from './assets.ts';

export const embeddedAssets: EmbeddedAssets = [];

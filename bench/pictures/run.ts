/** Draws the pictures of docs/performance.md, and writes its tables, from the files `results.json`. */
import { publishGrowth } from '../growth/publish.ts';
import { publish } from './plot.ts';

await publish();
await publishGrowth();

/** Draws the pictures of docs/performance.md, and writes its tables, from `requests/results.json`. */
import { readResults } from '../requests/results.ts';
import { publish } from './plot.ts';

await publish(await readResults());

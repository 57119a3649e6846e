/** Prints the features and the verdicts of the map as Markdown; `bun run features` writes it to `FEATURES.md`. */
import { featuresPage } from './features-page.ts';

process.stdout.write(await featuresPage());

/** Prints the feature matrix as Markdown; `bun run features` writes it to `FEATURES.md`. */
import { readFeatureMatrix } from './features.ts';
import { renderPage } from './features-page.ts';

process.stdout.write(renderPage(readFeatureMatrix()));

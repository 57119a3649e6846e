import { join } from 'node:path';
import { renderBrowserPage } from './browser-page.ts';

const folder = join(import.meta.dir, '../../console');

export const renderConsole = async (): Promise<string> => renderBrowserPage(folder, await buildConsole());

/** `release/licences.ts` has the licences of the packages in it. */
export const buildConsole = () =>
  Bun.build({
    entrypoints: [join(folder, 'main.tsx')],
    format: 'iife',
    target: 'browser',
    minify: true,
    metafile: true,
    define: { 'process.env.NODE_ENV': '"production"' },
  });

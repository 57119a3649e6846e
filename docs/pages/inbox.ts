import { join } from 'node:path';
import { renderBrowserPage } from './browser-page.ts';

const folder = join(import.meta.dir, '../../console/inbox');

export const renderInbox = async (): Promise<string> =>
  renderBrowserPage(
    folder,
    await Bun.build({ entrypoints: [join(folder, 'main.ts')], format: 'iife', target: 'browser' }),
  );

import { join } from 'node:path';
import { renderBrowserPage } from './browser-page.ts';

const folder = join(import.meta.dir, '../../src/demo/inbox/client');

export const renderInbox = async (): Promise<string> =>
  renderBrowserPage(
    folder,
    await Bun.build({ entrypoints: [join(folder, 'main.ts')], format: 'iife', target: 'browser' }),
  );

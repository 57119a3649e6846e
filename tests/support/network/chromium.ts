/**
 * Debian's headless shell of Chromium, which CI installs: the same engine at half the CPU, and what Playwright runs by default. Without it, its
 * Chromium. Options of `chromium.launch` of playwright-core, for tests of pages and tools that have that package.
 */
import { existsSync } from 'node:fs';

const headlessShell = '/usr/bin/chromium-headless-shell';

export const chromiumOptions = {
  executablePath: existsSync(headlessShell) ? headlessShell : '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
  ],
};

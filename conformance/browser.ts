import type { Browser } from 'playwright-core';

/** Debian's Chromium, which CI installs. */
export const executablePath = '/usr/bin/chromium';

/** The data of the map is read without the packages of this folder: adapters import this file, and only a measurement needs Playwright. */
export const launch = async (): Promise<Browser> => {
  const { chromium } = await import('playwright-core');
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
    ],
  });
};

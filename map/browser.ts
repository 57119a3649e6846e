import type { Browser } from 'playwright-core';
import { chromiumOptions } from '../tests/support/network/chromium.ts';

export const { executablePath } = chromiumOptions;

/** The data of the map is read without the packages of this folder: adapters import this file, and only a measurement needs Playwright. */
export const launch = async (): Promise<Browser> => (await import('playwright-core')).chromium.launch(chromiumOptions);

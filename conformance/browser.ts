import { type Browser, chromium } from 'playwright-core';
import { chromiumOptions } from '../tests/support/network/chromium.ts';

export const { executablePath } = chromiumOptions;

/** How long Playwright waits for an element, an event or a page: less than the time limit of a test, so that its message says what is missing. */
export const waitMs = 120_000;

export const launch = (): Promise<Browser> => chromium.launch(chromiumOptions);

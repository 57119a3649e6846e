import { type Browser, chromium } from 'playwright-core';
import { chromiumOptions } from '../tests/support/network/chromium.ts';

export const { executablePath } = chromiumOptions;

/** The maximum time of a test in a browser. Other checks of CI run beside it. */
export const timeoutMs = 120_000;

export const launch = (): Promise<Browser> => chromium.launch(chromiumOptions);

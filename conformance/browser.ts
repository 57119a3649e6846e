import { type Browser, chromium } from 'playwright-core';
import { chromiumOptions } from '../tests/support/network/chromium.ts';

export const { executablePath } = chromiumOptions;

export const launch = (): Promise<Browser> => chromium.launch(chromiumOptions);

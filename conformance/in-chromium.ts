/** What the tests in Chromium share: a browser, and a demo beside it. */
import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { existsSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { demoToken } from '../src/tokens/sample.ts';
import { startDemo } from '../tests/support/programs/process.ts';
import { executablePath, launch, waitMs } from './browser.ts';

/** A `describe` that is skipped without Debian's Chromium, which CI installs. */
export const inChromium = describe.skipIf(!existsSync(executablePath));

export type Tabs = Pick<Browser, 'newPage' | 'newContext'>;

/** A browser, from before the first test of the `describe` around this call until after the last one. */
export const useBrowser = (): Tabs => {
  const browser = useStarted(launch);
  return {
    newPage: async (options) => patient(await browser().newPage(options)),
    newContext: async (options) => patient(await browser().newContext(options)),
  };
};

const patient = <Tab extends Pick<Page, 'setDefaultTimeout'>>(tab: Tab): Tab => {
  tab.setDefaultTimeout(waitMs);
  return tab;
};

export interface Demo {
  readonly url: string;
  readonly port: number;
  /** Sends a request with the token of the demo. */
  send(method: string, path: string, body?: string): Promise<Response>;
  /** The body of the response, which is a success. */
  call(method: string, path: string, body?: string): Promise<string>;
  /** For `beforeEach`: the tests find the sample data. */
  reset(): Promise<void>;
}

/** A demo, for the same time as the browser. */
export const useDemo = (): Demo => {
  const demo = useStarted(startDemo);
  const send: Demo['send'] = (method, path, body) => {
    const headers = { authorization: `Bearer ${demoToken}`, 'content-type': 'application/json' };
    return fetch(demo().url + path, { method, headers, ...(body !== undefined && { body }) });
  };
  return {
    get url() {
      return demo().url;
    },
    get port() {
      return demo().port;
    },
    send,
    call: async (...request) => {
      const response = await send(...request);
      expect(response.ok).toBe(true);
      return response.text();
    },
    reset: async () => expect((await send('POST', '/__demo/reset')).status).toBe(204),
  };
};

const useStarted = <Started extends AsyncDisposable>(start: () => Promise<Started>): (() => Started) => {
  let started: Started | undefined;
  beforeAll(async () => {
    started = await start();
  });
  afterAll(() => started?.[Symbol.asyncDispose]());
  return () => {
    if (!started) throw new Error('It is started before the first test.');
    return started;
  };
};

import { defineConfig } from '@playwright/test';
import { demo, pages, slowDemo } from './demos.ts';

const portOf = (url: string): string => new URL(url).port;

export default defineConfig({
  testDir: 'tests',
  testMatch: '*.play.ts',
  // The tests share the plants of a demo.
  workers: 1,
  timeout: 60_000,
  expect: { timeout: 20_000 },
  use: {
    baseURL: pages,
    // Without CHROMIUM, the browser of `npx playwright install chromium`.
    launchOptions: { executablePath: process.env.CHROMIUM },
  },
  webServer: [
    { command: `plant-store serve --demo --port ${portOf(demo)}`, url: `${demo}/readyz`, env: { LOG_LEVEL: 'warn' } },
    {
      command: `plant-store serve --demo --port ${portOf(slowDemo)} --delay 300ms`,
      url: `${slowDemo}/readyz`,
      env: { LOG_LEVEL: 'warn' },
    },
    {
      command: `vite --host 127.0.0.1 --port ${portOf(pages)} --strictPort`,
      url: pages,
      env: { VITE_PLANT_STORE_URL: slowDemo },
    },
  ],
});

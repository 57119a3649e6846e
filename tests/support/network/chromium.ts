/** Debian's Chromium, which CI installs. Options of `chromium.launch` of playwright-core, for tests of pages and tools that have that package. */
export const chromiumOptions = {
  executablePath: '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
  ],
};

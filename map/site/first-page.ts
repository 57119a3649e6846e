/** What a browser loads with the first page. */
export const firstPage = [
  'index.html',
  'assets/site.css',
  'assets/site.js',
  'assets/inter.woff2',
  'assets/icon.svg',
] as const;

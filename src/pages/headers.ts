/** The headers of the pages. Nothing in them comes from another host, and no other page can show them in a frame. */

export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** The Content-Security-Policy of a page that only loads its own files. `styleHash` is that of an inline style, if it has one. */
export const strictPolicy = (styleHash?: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${styleHash === undefined ? '' : ` 'sha256-${styleHash}'`}`,
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** A text in an element, or in an attribute between double quotes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/**
 * What a page of the site may load and do: its own files, and calls to its own origin. Nothing inline, nothing foreign.
 * `data:` images are the icons in the style sheet of the API browser.
 * Swagger UI 5.35 in its BaseLayout works without 'unsafe-inline' styles, as React sets styles through the CSSOM. What does not:
 * the logo of its StandaloneLayout, and Markdown tables with aligned columns in descriptions (`|:-|`).
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Headers on every reply of the static site, the same on one machine and in the cloud.
 * Strict-Transport-Security is not among them: on localhost it would break every other port of the machine.
 * X-Frame-Options repeats frame-ancestors for scanners and browsers that only know the older header.
 */
export const siteHeaders = {
  'Content-Security-Policy': contentSecurityPolicy,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
} as const;

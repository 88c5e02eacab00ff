/**
 * Content Security Policy of the site: pages load only its own files, and call only its own origin. Nothing inline.
 * `data:` images are the icons in the style sheet of the API browser. Swagger UI 5.35 in its BaseLayout works without
 * 'unsafe-inline' styles, because React sets styles through the CSSOM. These parts of it do not work: the logo of its
 * StandaloneLayout, and Markdown tables with aligned columns in descriptions (`|:-|`).
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Headers on every reply of the static site, locally and in the cloud. Strict-Transport-Security is not included: on
 * localhost it would affect every other port of the machine. X-Frame-Options repeats frame-ancestors for scanners and
 * browsers that know only the older header.
 */
export const siteHeaders = {
  'Content-Security-Policy': contentSecurityPolicy,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
} as const;

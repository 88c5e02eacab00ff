import { siteHeaders } from './site-headers.ts';

test('the site loads and calls only its own origin, cannot be framed, and reveals no address', () => {
  const { 'Content-Security-Policy': policy, ...others } = siteHeaders;
  expect(
    Object.fromEntries(policy.split('; ').map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1).join(' ')])),
  ).toEqual({
    ...{ 'default-src': "'none'", 'script-src': "'self'", 'style-src': "'self'", 'img-src': "'self' data:" },
    ...{ 'worker-src': "'self'", 'connect-src': "'self'", 'font-src': "'self'" },
    ...{ 'base-uri': "'none'", 'form-action': "'none'", 'frame-ancestors': "'none'" },
  });
  expect(others).toEqual({
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
  });
});

import { Duration } from 'aws-cdk-lib';
import { HeadersFrameOption, HeadersReferrerPolicy, type ResponseHeadersPolicyProps } from 'aws-cdk-lib/aws-cloudfront';
import { siteHeaders } from '../shared/http/site-headers.ts';

/** Two years, as browsers' preload lists require. Without subdomains, which belong to others. */
const strictTransportSecurity = {
  accessControlMaxAge: Duration.days(730),
  includeSubdomains: false,
  override: true,
};

const {
  'Content-Security-Policy': contentSecurityPolicy,
  'X-Content-Type-Options': _nosniff,
  'X-Frame-Options': frameOption,
  'Referrer-Policy': referrerPolicy,
  ...otherHeaders
} = siteHeaders;

const frameOptions = { DENY: HeadersFrameOption.DENY } as const;
const referrerPolicies = { 'no-referrer': HeadersReferrerPolicy.NO_REFERRER } as const;

/**
 * The headers of the local server's pages, and HSTS. CloudFront has its own setting for each security header, and
 * refuses these as custom headers.
 */
export const siteHeadersPolicy: ResponseHeadersPolicyProps = {
  comment: 'Pages: their own files only, never in a frame, HTTPS only',
  securityHeadersBehavior: {
    contentSecurityPolicy: { contentSecurityPolicy, override: true },
    contentTypeOptions: { override: true },
    frameOptions: { frameOption: frameOptions[frameOption], override: true },
    referrerPolicy: { referrerPolicy: referrerPolicies[referrerPolicy], override: true },
    strictTransportSecurity,
  },
  customHeadersBehavior: {
    customHeaders: Object.entries(otherHeaders).map(([header, value]) => ({ header, value, override: true })),
  },
};

/** Replies of the API contain their own headers; only HSTS concerns the host name. */
export const apiHeadersPolicy: ResponseHeadersPolicyProps = {
  comment: 'API: HTTPS only',
  securityHeadersBehavior: { strictTransportSecurity },
};

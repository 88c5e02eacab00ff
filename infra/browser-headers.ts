import { Duration } from 'aws-cdk-lib';
import { HeadersFrameOption, HeadersReferrerPolicy, type ResponseHeadersPolicyProps } from 'aws-cdk-lib/aws-cloudfront';
import { siteHeaders } from '../shared/http/site-headers.ts';

/** Two years, what browsers' preload lists ask for; without subdomains, which are not ours to decide about. */
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
 * The headers of the local server's pages, and HSTS. CloudFront has a place of its own for each header that is about
 * security, and refuses those among the custom ones.
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

/** Replies of the API come with headers of their own; only HSTS is about the name they are reached under. */
export const apiHeadersPolicy: ResponseHeadersPolicyProps = {
  comment: 'API: HTTPS only',
  securityHeadersBehavior: { strictTransportSecurity },
};

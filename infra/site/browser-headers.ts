import { sitePathSource } from '../assets/site-paths.ts';
import { siteHeaders } from '../../shared/http/site-headers.ts';

type Headers = Record<string, { value: string }>;

interface ViewerResponse {
  response: { headers: Headers };
}

/**
 * Adds the headers of the site to a reply. CloudFront runs the source of this function, as that of `sitePath`
 * (assets/site-paths.ts), with the same JavaScript: without destructuring, and without loops over lists. It does not run
 * it for errors:
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/edge-function-restrictions-all.html
 */
function addHeaders(event: ViewerResponse, headers: Readonly<Headers>): ViewerResponse['response'] {
  const response = event.response;
  Object.assign(response.headers, headers);
  return response;
}

/** CloudFront has names of headers in lower case only. */
const pageHeaders = Object.fromEntries(
  Object.entries(siteHeaders).map(([name, value]) => [name.toLowerCase(), { value }]),
);

/**
 * The source for CloudFront, one function for requests and replies, because their number in an account is limited. Node
 * replaces types by blanks, so the text of the function is JavaScript.
 */
export const pagesCode = `${sitePathSource}${addHeaders.toString()}
function handler(event) {
  if (event.context.eventType === 'viewer-request') return handleRequest(event);
  return addHeaders(event, ${JSON.stringify(pageHeaders)});
}
`;

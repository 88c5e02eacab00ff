import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { headerValues } from '../../../shared/http/header-values.ts';
import { staticFile } from '../../../shared/http/static-files.ts';

/** As the policy of CloudFront that AWS manages. The local server has a certificate that no browser knows, and does not send it. */
const HSTS = { 'Strict-Transport-Security': 'max-age=31536000' };

export type SiteFunction = (event: APIGatewayProxyEvent) => Promise<APIGatewayProxyResult>;

/** The path as the client has sent it: with the stage, unless the API has a host name of its own. */
const sentPath = ({ requestContext, path }: APIGatewayProxyEvent) => requestContext.path || path;

const answer = (statusCode: number, headers: Record<string, string>, body: Buffer): APIGatewayProxyResult => ({
  statusCode,
  headers: { ...headers, ...HSTS },
  body: body.toString('base64'),
  isBase64Encoded: true,
});

/**
 * Serves the site for an API without CloudFront. All links of the site are relative, so it also works below a stage; for that, the
 * path of a folder must end with a slash.
 *
 * @param folder with the files as they are served.
 */
export function serveSite(folder: string): SiteFunction {
  return async (event) => {
    const sent = sentPath(event);
    if (event.path === '/' && !sent.endsWith('/')) return answer(301, { Location: `${sent}/` }, Buffer.alloc(0));
    const { status, headers, body } = await staticFile([{ prefix: '/', folder }], event.path);
    if (status === 301) return answer(301, { ...headers, Location: `${sent}/` }, body);
    const isKnown = headers['ETag'] !== undefined && headerValues(event, 'If-None-Match').includes(headers['ETag']);
    return isKnown ? answer(304, headers, Buffer.alloc(0)) : answer(status, headers, body);
  };
}

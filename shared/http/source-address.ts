import { timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { headerValues } from './header-values.ts';

/** CloudFront sends the secret of this deployment in it, and nobody else knows it. */
export const ORIGIN_HEADER = 'X-Inventory-Origin';

/** CloudFront writes the address of the viewer into it, in place of whatever the viewer has sent. */
export const VIEWER_HEADER = 'X-Inventory-Viewer';

/** The variable of the stage that contains the secret. Absent without CloudFront, and on one machine. */
export const ORIGIN_VARIABLE = 'originSecret';

type ProxyEvent = Pick<APIGatewayProxyEvent, 'stageVariables'> & {
  multiValueHeaders: Parameters<typeof headerValues>[0]['multiValueHeaders'] | null;
  requestContext: { identity: { sourceIp: string } };
};

function isEqual(left: string, right: string): boolean {
  const [leftBytes, other] = [Buffer.from(left), Buffer.from(right)];
  return leftBytes.length === other.length && timingSafeEqual(leftBytes, other);
}

/**
 * The address of the caller: for requests through CloudFront that of its viewer, otherwise the one that the gateway saw. A direct
 * caller can send both headers, but does not know the secret.
 */
export function sourceAddressOf({ stageVariables, multiValueHeaders, requestContext }: ProxyEvent): string {
  const seen = requestContext.identity.sourceIp;
  const secret = stageVariables?.[ORIGIN_VARIABLE];
  if (secret === undefined || secret === '' || multiValueHeaders === null) return seen;
  const [origin, viewer] = [ORIGIN_HEADER, VIEWER_HEADER].map((name) => headerValues({ multiValueHeaders }, name));
  const isOurs = origin?.length === 1 && isEqual(origin[0] ?? '', secret);
  const [address = '', ...others] = viewer ?? [];
  return isOurs && others.length === 0 && isIP(address) !== 0 ? address : seen;
}

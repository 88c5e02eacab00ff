import { type ClockSource, monotonicMs } from '../../shared/core/monotonic-clock.ts';
import type { APIGatewayAuthorizerResult } from 'aws-lambda';
import type { Authorizer } from '../../functions/triggers/authorizer/handler.ts';

/**
 * Caches replies of the authorizer as API Gateway does: by the Authorization header, including refusals, but not
 * faults. https://docs.aws.amazon.com/apigateway/latest/developerguide/configure-api-gateway-lambda-authorization.html
 *
 * @param seconds how long; 0: no cache.
 */
export function cachedAuthorizer(authorizer: Authorizer, seconds: number, timed: ClockSource = {}): Authorizer {
  if (seconds === 0) return authorizer;
  const kept = new Map<string, { answer: APIGatewayAuthorizerResult; until: number }>();
  return async (event) => {
    const now = monotonicMs(timed);
    for (const [identity, { until }] of kept) if (until <= now) kept.delete(identity);
    const identity = JSON.stringify(
      Object.entries(event.multiValueHeaders ?? {}).filter(([name]) => name.toLowerCase() === 'authorization'),
    );
    const cached = kept.get(identity);
    if (cached !== undefined) return cached.answer;
    const answer = await authorizer(event);
    kept.set(identity, { answer, until: now + seconds * 1000 });
    return answer;
  };
}

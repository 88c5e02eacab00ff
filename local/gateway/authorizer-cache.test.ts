import type { APIGatewayAuthorizerResult } from 'aws-lambda';
import { manualClock } from '../../tests/support/manual-clock.ts';
import { authorizerEvent, proxyEvent } from './proxy-event.ts';
import { cachedAuthorizer } from './authorizer-cache.ts';

const eventOf = (authorization: string, url = '/v1/nodes') =>
  authorizerEvent(
    proxyEvent(
      { method: 'GET', url, rawHeaders: ['Authorization', authorization], body: '', sourceIp: '' },
      { requestId: 'r', resource: url, params: {}, authorizer: undefined },
    ),
  );

function counted(fail = false) {
  const asked: number[] = [];
  const authorizer = () => {
    asked.push(0);
    if (fail) return Promise.reject(new Error('cut off'));
    return Promise.resolve({ principalId: String(asked.length) } as APIGatewayAuthorizerResult);
  };
  return { asked, authorizer };
}

test('each header has one cached reply for all paths until its end', async () => {
  const { asked, authorizer } = counted();
  const monotonic = manualClock();
  const cached = cachedAuthorizer(authorizer, 10, { monotonic });
  const who = async (authorization: string, url?: string) => (await cached(eventOf(authorization, url))).principalId;
  expect([await who('a'), await who('a', '/v1/agents'), await who('b'), await who('a')]).toEqual(['1', '1', '2', '1']);
  monotonic.advance(9999);
  expect(await who('a')).toBe('1');
  monotonic.advance(1);
  expect(await who('a')).toBe('3');
  expect(asked).toHaveLength(3);
});

test('a fault is not cached, and 0 caches nothing', async () => {
  const broken = counted(true);
  const cached = cachedAuthorizer(broken.authorizer, 10);
  for (let count = 0; count < 2; count += 1) await expect(cached(eventOf('a'))).rejects.toThrow('cut off');
  expect(broken.asked).toHaveLength(2);
  const { asked, authorizer } = counted();
  const plain = cachedAuthorizer(authorizer, 0);
  await plain(eventOf('a'));
  await plain(eventOf('a'));
  expect(asked).toHaveLength(2);
});

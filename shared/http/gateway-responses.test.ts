import { gatewayResponses, renderGatewayResponse } from './gateway-responses.ts';

test.each(gatewayResponses.map((response) => [response.type, response]))(
  '%s has our error form, without input',
  (_, response) => {
    const body = JSON.parse(response.template);
    expect(Object.keys(body)).toEqual(['code', 'status', 'error', 'message', 'details', 'request_id']);
    expect(body.error).toBe(body.message);
    // Only these two variables are substituted: an id that clients cannot choose, and one of our own texts.
    for (const [variable] of response.template.matchAll(/\$[a-zA-Z.]+/g))
      expect(['$context.extendedRequestId', '$context.authorizer.message']).toContain(variable);
    expect(response.headers).toMatchObject({ 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
    if (response.httpStatus === 401) expect(response.headers['WWW-Authenticate']).toBe('Bearer realm="inventory"');
    if ([429, 503].includes(response.httpStatus)) expect(response.headers['Retry-After']).toBe('1');
  },
);

test('header and body have the same id', () => {
  const { headers, body } = renderGatewayResponse('THROTTLED', { extendedRequestId: 'r1' });
  expect([headers['X-Request-Id'], JSON.parse(body).request_id]).toEqual(['r1', 'r1']);
});

test("a denial contains the authorizer's reason", () => {
  const { statusCode, body } = renderGatewayResponse('ACCESS_DENIED', {
    extendedRequestId: 'r1',
    'authorizer.message': 'Expired API key',
  });
  expect(statusCode).toBe(401);
  expect(JSON.parse(body)).toEqual({
    code: 16,
    status: 'UNAUTHENTICATED',
    error: 'Expired API key',
    message: 'Expired API key',
    details: [],
    request_id: 'r1',
  });
});

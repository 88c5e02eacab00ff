import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

const add = (body: unknown) => inventory.request('POST', '/v1/enrolment-tokens', { body });

test('a token is shown once, in its own format, and is valid for an hour by default', async () => {
  inventory.clock.now = new Date('2026-05-01T10:00:00Z');
  const { status, body } = await add({ name: 'web' });
  inventory.clock.now = undefined;
  expect(status).toBe(201);
  expect(body).toMatchObject({
    name: 'web',
    created_by: { name: 'test Admin' },
    expires_at: '2026-05-01T11:00:00.000Z',
  });
  expect(body.token).toMatch(/^minv_enrol_[0-9A-Za-z]{43}_[0-9a-f]{8}$/);
  expect(body.prefix).toBe(body.token.slice(0, 15));
  const listed = await inventory.request('GET', '/v1/enrolment-tokens');
  expect(listed.text).not.toContain(body.token.slice(16, 46));
});

test('the token enrols a node', async () => {
  const { token } = (await add({ name: 'web' })).body;
  const node = { node_type: 'generic', node_name: 'web-1', address: '10.7.7.7' };
  const enrolled = await inventory.request('POST', '/v1/enrolment', {
    as: null,
    body: { token, node },
    sourceIp: node.address,
  });
  expect(enrolled.status).toBe(201);
});

test('two tokens may have one name', async () => {
  expect([(await add({ name: 'twice' })).status, (await add({ name: 'twice' })).status]).toEqual([201, 201]);
});

test('a token lives a day at most', async () => {
  expect((await add({ name: 'a', time_to_live: '24h' })).status).toBe(201);
  for (const life of ['25h', '86401', '', '0s', '1y'])
    expect(await add({ name: 'a', time_to_live: life })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'time_to_live' }] },
    });
});

test.each([0, -1, 1.5, 30_001, '60'])('a rate limit of %j is a 400', async (rate) => {
  expect(await add({ name: 'a', key_rate_limit_per_minute: rate })).toMatchObject({
    status: 400,
    body: { details: [{ field: 'key_rate_limit_per_minute' }] },
  });
});

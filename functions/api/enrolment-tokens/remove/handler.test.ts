import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

const add = async () =>
  (await inventory.request('POST', '/v1/enrolment-tokens', { body: { name: 't', allowed_addresses: ['a'] } })).body;
const remove = (id: string) => inventory.request('DELETE', `/v1/enrolment-tokens/${id}`);
const enrol = (token: string, name: string) =>
  inventory.request('POST', '/v1/enrolment', {
    as: null,
    body: { token, node: { node_type: 'generic', node_name: name, address: 'a' } },
  });

test('a removed token is refused on the next call and not listed', async () => {
  const { token, token_id: id } = await add();
  expect((await remove(id)).status).toBe(204);
  expect((await enrol(token, 'a')).status).toBe(401);
  expect((await inventory.request('GET', '/v1/enrolment-tokens')).body.enrolment_tokens).toEqual([]);
  expect(await remove(id)).toMatchObject({ status: 404, body: { code: 5 } });
});

test('a used token is a 404', async () => {
  const { token, token_id: id } = await add();
  expect((await enrol(token, 'b')).status).toBe(201);
  expect((await remove(id)).status).toBe(404);
});

test('a removal beside a use succeeds only if the token was not used, or after its use', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { token, token_id: id } = await add();
    const [removed, enrolled] = await Promise.all([remove(id), enrol(token, `race-${round}`)]);
    expect([204, 404]).toContain(removed.status);
    expect([201, 401]).toContain(enrolled.status);
    if (enrolled.status === 401) expect(removed.status).toBe(204);
    expect((await enrol(token, `later-${round}`)).status).toBe(401);
  }
});

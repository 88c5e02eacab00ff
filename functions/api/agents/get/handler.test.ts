import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

test('a missing agent: 404 that names it', async () => {
  const reply = await inventory.request('GET', '/v1/agents/nope', { as: 'Viewer' });
  expect(reply).toMatchObject({ status: 404, body: { code: 5, message: 'Agent with ID "nope" not found.' } });
});

import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

test('a missing agent gets a 404 with its id', async () => {
  const reply = await inventory.request('GET', '/v1/agents/nope', { as: 'Viewer' });
  expect(reply).toMatchObject({ status: 404, body: { code: 5, message: 'Agent with ID "nope" not found.' } });
});

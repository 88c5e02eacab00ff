import { addHost } from '../../tests/support/add.ts';
import { startStateEvents } from './state-events.ts';
import { testTime } from '../../tests/support/test-time.ts';
import { useInventory } from '../../tests/support/fixtures.ts';

const inventory = useInventory();

const states = async () => (await inventory.request('GET', '/v1/changes?kinds=state')).body.changes;

test('publishes states after each interval', async () => {
  const { nodeId, pmmAgentId } = await addHost(inventory);
  await inventory.request('POST', `/v1/agents/${pmmAgentId}/report`, { body: { agents: [] } });
  inventory.clock.now = testTime(3_600_000);
  const { stop } = startStateEvents(inventory.dependencies, 5);
  inventory.passing.advance(4 * 60_000);
  expect(await states()).toEqual([]);
  inventory.passing.advance(60_000);
  await stop();
  expect(await states()).toMatchObject([{ id: nodeId, after: { state: 'offline' } }]);
});

test('0 minutes disable it', async () => {
  const { stop } = startStateEvents(inventory.dependencies, 0);
  inventory.passing.advance(86_400_000);
  await stop();
  expect(inventory.logged.filter(({ message }) => message === 'state events')).toHaveLength(1);
});

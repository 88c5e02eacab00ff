import { makePageToken } from '../../../../shared/db/page-token.ts';
import { pageTokenSecret } from '../../../store/credentials/page-token-secret.ts';
import { TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { checkInvariants, scan } from '../../../../tests/consistency/invariants.ts';
import { addAgent, addNode, addService } from '../../../../tests/support/add.ts';
import { type Inventory, startInventory } from '../../../../tests/support/inventory.ts';
import { heartbeatKey, processAttribute, useAttributes } from '../../../store/table/keys.ts';
import { TEST_TIME } from '../../../../tests/support/test-time.ts';
import { withSend } from '../../../../tests/support/table.ts';

let inventory: Inventory;
/** Runs once, just before the next transaction. */
let meanwhile: (() => Promise<unknown>) | undefined;

beforeEach(async () => {
  inventory = await startInventory({
    table: (table) =>
      withSend(table, async (command: any) => {
        if (command instanceof TransactWriteCommand) {
          const work = meanwhile;
          meanwhile = undefined;
          await work?.();
        }
        return table.client.send(command);
      }),
  });
});
afterEach(async () => {
  expect(await checkInvariants(inventory.table)).toEqual([]);
  await inventory.stop();
});

const start = TEST_TIME;
const at = (hours: number) => (inventory.clock.now = new Date(start + hours * 3_600_000));
const cleanUp = (body: object = {}) =>
  inventory.request('POST', '/v1/cleanup', { as: 'Editor', body: { max_removals_percent: 100, ...body } });
const isThere = async (id: string) => (await inventory.request('GET', `/v1/nodes/${id}`)).status === 200;

/** All items, without the use of keys, which the requests of the test change. */
const everything = async () =>
  (await scan(inventory.table)).map((item) =>
    Object.fromEntries(Object.entries(item).filter(([name]) => !useAttributes.includes(name))),
  );

async function host(more: Record<string, unknown>) {
  const node = await addNode(inventory, more);
  const nodeId = String(node.node_id);
  const { agent_id: pmmAgentId } = await addAgent(inventory, { agent_type: 'pmm_agent', runs_on_node_id: nodeId });
  await addService(inventory, { node_ids: [nodeId] });
  const report = () => inventory.request('POST', `/v1/agents/${pmmAgentId}/report`, { body: { agents: [] } });
  return { nodeId, pmmAgentId: String(pmmAgentId), name: String(node.node_name), report };
}

const ephemeral = { lifetime: 'ephemeral', remove_after: '2h' };

test('removes due nodes with their dependants, and keeps permanent and reporting ones', async () => {
  at(0);
  const [due, silent, reporting, permanent] = [
    await host(ephemeral),
    await host(ephemeral),
    await host(ephemeral),
    await host({}),
  ];
  for (const removable of [due, reporting, permanent]) await removable.report();
  at(1.9);
  await reporting.report();
  expect((await cleanUp()).body).toEqual({ threshold_exceeded: false, objects: 0, removed: [], kept: [] });
  at(2);
  const before = await everything();
  const dry = (await cleanUp({ dry_run: true })).body;
  expect(dry).toMatchObject({ threshold_exceeded: false, objects: 6, removed: [] });
  expect(dry.kept.map(({ node_id: id, reason }: any) => [id, reason]).sort()).toEqual(
    [due, silent].map(({ nodeId }) => [nodeId, 'dry_run']).sort(),
  );
  expect(await everything()).toEqual(before);
  const real = (await cleanUp()).body;
  expect(real.kept).toEqual([]);
  const byId = Object.fromEntries(real.removed.map((removal: any) => [removal.node_id, removal]));
  expect(byId[due.nodeId]).toMatchObject({
    node_name: due.name,
    last_seen: new Date(start).toISOString(),
    due_since: new Date(start + 7_200_000).toISOString(),
    objects: 3,
  });
  expect(byId[silent.nodeId]).not.toHaveProperty('last_seen');
  expect(await Promise.all([due, silent, reporting, permanent].map(({ nodeId }) => isThere(nodeId)))).toEqual([
    false,
    false,
    true,
    true,
  ]);
  // It can be restored, and its timers start again.
  const { status } = await inventory.request('POST', `/v1/removed/${byId[due.nodeId].removal_id}/restore`);
  expect(status).toBe(200);
  expect((await cleanUp()).body.removed).toEqual([]);
});

test('the safety threshold limits the share of removed objects, dependants included', async () => {
  at(0);
  await host(ephemeral);
  for (let index = 0; index < 12; index += 1) await addNode(inventory);
  at(3);
  // Three of fifteen are 20 percent.
  expect((await cleanUp({ max_removals_percent: 19 })).body).toMatchObject({
    threshold_exceeded: true,
    removed: [],
    kept: [{ reason: 'threshold_exceeded' }],
  });
  expect((await cleanUp({ max_removals_percent: 19, dry_run: true })).body).toMatchObject({ threshold_exceeded: true });
  const { body } = await inventory.request('POST', '/v1/cleanup', { body: {} });
  expect(body).toMatchObject({ threshold_exceeded: false, objects: 3, kept: [] });
  expect(body.removed).toHaveLength(1);
});

test('a node that reports between the count and the removal stays with its dependants', async () => {
  at(0);
  const { nodeId, pmmAgentId, report } = await host(ephemeral);
  await report();
  at(3);
  meanwhile = () =>
    inventory.dependencies.table.client.send(
      new UpdateCommand({
        TableName: inventory.table.name,
        Key: heartbeatKey(nodeId),
        UpdateExpression: 'SET #process = :report',
        ExpressionAttributeNames: { '#process': processAttribute(pmmAgentId) },
        ExpressionAttributeValues: { ':report': { at: start + 3 * 3_600_000, agents: {} } },
      }),
    );
  expect((await cleanUp()).body).toMatchObject({ removed: [], kept: [{ node_id: nodeId, reason: 'reported' }] });
  expect((await inventory.request('GET', `/v1/services?node_id=${nodeId}`)).body.services).toHaveLength(1);
});

test('a node that becomes permanent in the meantime stays', async () => {
  at(0);
  const { nodeId } = await host(ephemeral);
  at(3);
  meanwhile = () =>
    inventory.request('PATCH', `/v1/nodes/${nodeId}`, {
      body: { lifetime: 'permanent', remove_after: null },
    });
  expect((await cleanUp()).body).toMatchObject({ removed: [], kept: [{ node_id: nodeId, reason: 'reported' }] });
});

test('a node with more dependants than one transaction holds stays until a forced removal', async () => {
  at(0);
  const { nodeId, report } = await host(ephemeral);
  await report();
  for (let index = 0; index < 30; index += 1) await addService(inventory, { node_ids: [nodeId] });
  at(3);
  const before = await everything();
  expect((await cleanUp()).body).toMatchObject({ objects: 33, removed: [], kept: [{ reason: 'too_large' }] });
  expect(await everything()).toEqual(before);
});

test('the token of another request or of other options is refused', async () => {
  const secret = await pageTokenSecret(inventory.table);
  const place = { phase: 'remove', asOf: TEST_TIME, objects: 1 };
  const tokenFor = (...options: unknown[]) =>
    makePageToken([JSON.stringify(place), ''], JSON.stringify(['cleanUp', ...options]), secret);
  const send = (body: object) => inventory.request('POST', '/v1/cleanup', { body });
  expect((await send({ page_token: tokenFor(false, 20) })).status).toBe(200);
  for (const body of [
    { page_token: tokenFor(false, 100) },
    { page_token: tokenFor(true, 20) },
    { page_token: tokenFor(false, 20), max_removals_percent: 100 },
    { page_token: 'x' },
  ])
    expect(await send(body)).toMatchObject({ status: 400, body: { details: [{ field: 'page_token' }] } });
});

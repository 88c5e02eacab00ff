import { inFull } from '../../../shared/testing/extent.ts';
import { checkInvariants, wipe } from '../../../tests/consistency/invariants.ts';
import { cutOff, type Disturbance, disturbed, isTransaction, once } from '../../../tests/consistency/disturbances.ts';
import { addHost, addService } from '../../../tests/support/add.ts';
import { type Inventory, startInventory } from '../../../tests/support/inventory.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import { listForcedRemovals } from '../../store/jobs/forced-removals.ts';
import { REMOVAL_PATIENCE_MS } from '../../store/inventory/remove.ts';
import { startForcedRemovals } from '../../../local/jobs/forced-removals.ts';
import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { addAll, service } from '../../../tests/support/store.ts';
import { itemAt } from '../../../tests/support/table.ts';
import { dependentsKey, jobKey } from '../../store/table/keys.ts';
import { continueWith } from './handler.ts';
import { continueRemoval } from './removal.ts';
import { WORK_MS } from './times.ts';
import { testTime } from '../../../tests/support/test-time.ts';

const cut = cutOff();
let meanwhile: Disturbance | undefined;
let inventory: Inventory;

beforeAll(async () => {
  const act: Disturbance = (command, next) => (meanwhile ?? ((_, go) => go(command)))(command, next);
  inventory = await startInventory({ table: (table) => disturbed(table, [act, cut.disturbance]) });
});
afterAll(() => inventory.stop());
afterEach(async () => {
  meanwhile = undefined;
  cut.never();
  inventory.clock.now = undefined;
  await wipe(inventory.table);
});

const request: Inventory['request'] = (...call) => inventory.request(...call);
const get = async (path: string) => (await request('GET', path)).body;

/** The dependencies of a worker at a time when no request can be working on the removal any more. */
const later = () => {
  inventory.clock.now = testTime(REMOVAL_PATIENCE_MS + 1000);
  return inventory.dependencies;
};

/** Services on a node whose removal needs several transactions. */
const SERVICES = 30;

/** As many that also the marks of all objects need several transactions. */
const MANY_SERVICES = 60;

/** As many services as one transaction can add. */
const ADDED_AT_ONCE = 10;

/** Adds services on a node past the API: each of their requests would change the counter of the node. */
async function addServices(nodeId: string, count: number) {
  const services = Array.from({ length: count }, (_, index) =>
    service([], { service_name: `service ${nodeId} ${100 + index}`, node_ids: [nodeId], address: 'a', port: 3306 }),
  );
  for (let start = 0; start < count; start += ADDED_AT_ONCE)
    await addAll(inventory.table, ...services.slice(start, start + ADDED_AT_ONCE));
  return services.map(({ object }) => object);
}

/**
 * A host whose forced removal was interrupted after `writes` writes.
 */
async function cutOffRemoval(writes: number, count = SERVICES) {
  const host = await addHost(inventory);
  const services = await addServices(host.nodeId, count);
  cut.after(writes);
  const { status } = await request('DELETE', `/v1/nodes/${host.nodeId}?force=true`, { as: 'Editor' });
  cut.never();
  expect(status).toBeGreaterThanOrEqual(500);
  expect(await checkInvariants(inventory.table, { inProgress: true })).toEqual([]);
  return { ...host, services };
}

async function expectFinished(nodeId: string): Promise<void> {
  expect((await request('GET', `/v1/nodes/${nodeId}`)).status).toBe(404);
  expect((await get('/v1/services')).services).toEqual([]);
  expect(await listForcedRemovals(inventory.table)).toEqual([]);
  expect(await checkInvariants(inventory.table)).toEqual([]);
}

test('a removal in progress is visible in gets and lists, not in write replies, and changes do not end it', async () => {
  const { nodeId, pmmAgentId, services } = await cutOffRemoval(2, MANY_SERVICES);
  const shown = { removing: true };
  expect(await get(`/v1/nodes/${nodeId}`)).toMatchObject(shown);
  expect((await get('/v1/nodes')).nodes).toMatchObject([shown]);
  expect(await get(`/v1/agents/${pmmAgentId}`)).toMatchObject(shown);
  expect((await get('/v1/nodes?fields=removing')).nodes).toEqual([{ node_id: nodeId, ...shown }]);
  const path = `/v1/services/${services.at(-1)!.service_id}`;
  const { status, body } = await request('PATCH', path, { body: { custom_labels: { a: 'b' } } });
  expect(status).toBe(200);
  expect(body).not.toHaveProperty('removing');
  expect(await get(path)).toMatchObject({ ...shown, custom_labels: { a: 'b' }, revision: 2 });
  const refused = await request('PATCH', path, { body: { removing: false } });
  expect(refused.body.details).toMatchObject([{ field: 'removing', reason: 'read_only' }]);
  expect(await checkInvariants(inventory.table, { inProgress: true })).toEqual([]);
});

test('a change that was read before the removal began does not reopen its object', async () => {
  const { nodeId } = await addHost(inventory);
  await addServices(nodeId, SERVICES);
  const begin = async () => {
    meanwhile = undefined;
    cut.after(1);
    await request('DELETE', `/v1/nodes/${nodeId}?force=true`);
    cut.never();
  };
  meanwhile = once(isTransaction, begin);
  const { status } = await request('PATCH', `/v1/nodes/${nodeId}`, { body: { custom_labels: { a: 'b' } } });
  expect(status).toBe(200);
  expect(await get(`/v1/nodes/${nodeId}`)).toMatchObject({ removing: true, custom_labels: { a: 'b' } });
  expect(await checkInvariants(inventory.table, { inProgress: true })).toEqual([]);
});

test.each(inFull([1, 2, 4], [2]))(
  'a removal that was interrupted after %d writes is finished as one removal of its author',
  async (n) => {
    const { nodeId } = await cutOffRemoval(n, MANY_SERVICES);
    await continueRemoval(later(), 'node', nodeId);
    await expectFinished(nodeId);
    const { removals } = await get('/v1/removed');
    expect(removals).toMatchObject([{ actor: { name: 'test Editor' }, objects: { length: MANY_SERVICES + 2 } }]);
  },
);

describe('the worker', () => {
  const workerWith = (disturbance: Disturbance) => {
    const { table, ...rest } = later();
    return { ...rest, table: { ...table, ...disturbed(table, [disturbance]) } };
  };

  test('does nothing when another request removes the object first', async () => {
    const { nodeId } = await cutOffRemoval(2);
    let reads = 0;
    const removing: Disturbance = async (command, next) => {
      reads += 1;
      // After the read of the record that the removal has begun.
      if (reads === 2) await continueRemoval(later(), 'node', nodeId);
      return next(command);
    };
    await continueRemoval(workerWith(removing), 'node', nodeId);
    await expectFinished(nodeId);
  });

  test('fails at its time limit, so that the stream delivers the record again', async () => {
    const { nodeId } = await cutOffRemoval(2);
    let refusals = 0;
    const refusing: Disturbance = (command, next) => {
      if (!isTransaction(command) || refusals === 2) return next(command);
      refusals += 1;
      inventory.passing.advance(WORK_MS + 1);
      return Promise.reject(new ApiError('unavailable', 'No answer.'));
    };
    const working = continueRemoval(workerWith(refusing), 'node', nodeId);
    await expect(working).rejects.toThrow(`the forced removal of node ${nodeId} is not finished`);
    expect(refusals).toBe(1);
  });
});

test("the table's stream starts the worker, and a finished removal needs nothing", async () => {
  const { nodeId } = await cutOffRemoval(2);
  const Keys = { pk: { S: 'FORCED_REMOVALS' }, sk: { S: `NODE#${nodeId}` } };
  const records: any = { Records: [{ eventName: 'INSERT', dynamodb: { Keys } }] };
  await continueWith(later)(records);
  await expectFinished(nodeId);
  await continueWith(later)(records);
});

test('the local server finishes a removal at its start', async () => {
  const { nodeId } = await cutOffRemoval(2);
  const removals = startForcedRemovals(later());
  try {
    while ((await listForcedRemovals(inventory.table)).length > 0);
    await expectFinished(nodeId);
  } finally {
    removals.stop();
  }
});

test('the local server reopens objects at its start that an older version left closed', async () => {
  const { nodeId } = await addHost(inventory);
  const Key = dependentsKey('node', nodeId);
  const values = { ':yes': true };
  const update = { UpdateExpression: 'SET removing = :yes', ExpressionAttributeValues: values };
  await inventory.table.client.send(new DeleteCommand({ TableName: inventory.table.name, Key: jobKey('reopening') }));
  await inventory.table.client.send(new UpdateCommand({ TableName: inventory.table.name, Key, ...update }));
  const removals = startForcedRemovals(inventory.dependencies);
  try {
    const isClosed = async () => (await itemAt(inventory.table, Key))?.['removing'] === true;
    while (await isClosed());
    await addService(inventory, { node_ids: [nodeId] });
    expect(await checkInvariants(inventory.table)).toEqual([]);
  } finally {
    removals.stop();
  }
});

test('a repeated request finishes the removal at once, also without force when no dependant is left', async () => {
  const { nodeId } = await cutOffRemoval(2);
  expect((await request('DELETE', `/v1/nodes/${nodeId}?force=true`)).status).toBe(204);
  await expectFinished(nodeId);
  const again = await cutOffRemoval(5, MANY_SERVICES);
  const { services } = await get('/v1/services');
  expect(services.length).toBeGreaterThan(0);
  for (const { service_id: id } of services) expect((await request('DELETE', `/v1/services/${id}`)).status).toBe(204);
  expect((await request('DELETE', `/v1/nodes/${again.nodeId}`)).status).toBe(204);
  await expectFinished(again.nodeId);
});

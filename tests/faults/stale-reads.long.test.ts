import { inFull } from '../../shared/testing/extent.ts';
import { countFrom } from '../consistency/random.ts';
import { checkInvariants, wipe } from '../consistency/invariants.ts';
import * as rounds from '../consistency/rounds.ts';
import { addAgent, addHost, addNode, addService } from '../support/add.ts';
import { type FaultyInventory, startFaultyInventory } from './faulty-inventory.ts';
import { type Lag, lagBehind } from './lag.ts';

const seed = countFrom('SEED', 1);

const { sameNames, addsAgainstRemoval, changesOfOneObject, movesAgainstRemovals, ownWrites, listsMeanwhile } = rounds;
const races = {
  ...{ ownWrites, listsMeanwhile },
  ...inFull({ sameNames, addsAgainstRemoval, changesOfOneObject, movesAgainstRemovals }, {}),
};

describe(`eventually consistent reads are answered from the past (SEED=${seed})`, () => {
  let inventory: FaultyInventory;
  let lag: Lag;
  beforeAll(async () => {
    inventory = await startFaultyInventory(seed);
    lag = await lagBehind(inventory.proxy, inventory.table, { writesBehind: 20 });
  });
  afterAll(() => inventory.stop());
  afterEach(async () => {
    await lag.catchUp();
    await wipe(inventory.table);
    await wipe(lag.copy);
  });

  test.each(Object.entries(races))('%s: no decision depends on them', async (_name, round) => {
    const complaints = await round({ ...inventory, catchUp: lag.catchUp });
    expect({ seed, complaints }).toEqual({ seed, complaints: [] });
  });

  test('a new object is read by its id at once, and listed later', async () => {
    const { node_id: id } = await addNode(inventory);
    const listed = async () => (await inventory.request('GET', '/v1/nodes')).body.nodes.length;
    expect((await inventory.request('GET', `/v1/nodes/${id}`)).status).toBe(200);
    expect(await listed()).toBe(0);
    await lag.catchUp();
    expect(await listed()).toBe(1);
  });

  test('discovery lags with the index, and shows nothing partly removed', async () => {
    const hosts = await Promise.all([addHost(inventory), addHost(inventory)]);
    for (const { pmmAgentId } of hosts)
      await addAgent(inventory, { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId, listen_port: 9100 });
    const nodes = async () => {
      const reply = await inventory.request('GET', '/v1/discovery/prometheus');
      expect(reply.status).toBe(200);
      return reply.body.map(({ labels }: any) => labels['__meta_inventory_node_id']);
    };
    expect((await nodes()).length).toBeLessThan(2);
    await lag.catchUp();
    expect((await nodes()).sort()).toEqual(hosts.map(({ nodeId }) => nodeId).sort());
    await inventory.request('DELETE', `/v1/nodes/${hosts[0].nodeId}?force=true`);
    // It may still show what is removed, but no other part of it.
    expect(hosts.map(({ nodeId }) => nodeId)).toEqual(expect.arrayContaining(await nodes()));
    await lag.catchUp();
    expect(await nodes()).toEqual([hosts[1].nodeId]);
  });

  test("a new object's dependants are known at once to lists and a forced removal", async () => {
    const { nodeId, pmmAgentId } = await addHost(inventory);
    const { service_id: serviceId } = await addService(inventory, { node_ids: [nodeId] });
    const listed = async (path: string) => (await inventory.request('GET', path)).text;
    expect(await listed(`/v1/services?node_id=${nodeId}`)).toContain(serviceId);
    expect(await listed(`/v1/agents?runs_on_node_id=${nodeId}`)).toContain(pmmAgentId);
    expect((await inventory.request('DELETE', `/v1/nodes/${nodeId}?force=true`)).status).toBe(204);
    expect(await checkInvariants(inventory.table)).toEqual([]);
  });
});

test('an eventually consistent read by id does not find a new object', async () => {
  const inventory = await startFaultyInventory(seed);
  await lagBehind(inventory.proxy, inventory.table, { writesBehind: 20, reads: 'all' });
  const { node_id: id } = await addNode(inventory);
  expect((await inventory.request('GET', `/v1/nodes/${id}`)).status).toBe(404);
  await inventory.stop();
});

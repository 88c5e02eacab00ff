import { inFull, testInFull } from '../../shared/testing/extent.ts';
import { type Inventory, startInventory } from '../support/inventory.ts';
import { addAgent, addNode, addService } from '../support/add.ts';
import { checkInvariants, wipe } from './invariants.ts';
import { countFrom, Random, seedFrom } from './random.ts';
import * as rounds from './rounds.ts';
import { cutOff, type Disturbance, disturbed, isBatchGet, isTransaction, once } from './disturbances.ts';
import { conflicts, jitter, lagging } from './sabotage.ts';

const seed = seedFrom('SEED');
const repeats = countFrom('ROUNDS', inFull(2, 1));
/** A transaction holds 100 items: even the smaller crowd takes several. */
const crowd = inFull(300, 130);

const races: [string, rounds.Round][] = [
  ['the same names, addresses and containers have one owner each', rounds.sameNames],
  ['nothing is added to a node that is gone by then', rounds.addsAgainstRemoval],
  ['what is added to a node while that is removed with force goes too, or is refused', rounds.addsAgainstForcedRemoval],
  ['no insight into a service outlives its forced removal', rounds.insightsAgainstForcedRemoval],
  ['every acknowledged change counts once, and of those that name one revision one wins', rounds.changesOfOneObject],
  ['what is declared is there once, whatever is done to it meanwhile', rounds.sameDeclarations],
  ['addresses that move in circles have one owner each', rounds.addressesInCircles],
  ['services that move among nodes that are removed neither dangle nor get lost', rounds.movesAgainstRemovals],
  ['everybody reads what they wrote', rounds.ownWrites],
  ['API keys of the same names have one owner each and are counted', rounds.sameApiKeys],
  ['lists go on while everything changes', rounds.listsMeanwhile],
];

const listRounds: readonly rounds.Round[] = [rounds.sameDeclarations, rounds.ownWrites, rounds.listsMeanwhile];
/** Those that read indexes come first to harm when an index lags. */
const lagRaces = inFull(
  races,
  races.filter(([, round]) => listRounds.includes(round)),
);

/** The start of the complaints: one mistake usually makes hundreds. */
function expectNone(complaints: readonly string[], more: Record<string, unknown> = {}): void {
  const shown = complaints.slice(0, 10).map((complaint) => complaint.slice(0, 600));
  expect({ seed, ...more, count: complaints.length, complaints: shown }).toEqual({
    seed,
    ...more,
    count: 0,
    complaints: [],
  });
}

describe(`races of ${rounds.CLIENTS} clients (SEED=${seed})`, () => {
  const random = new Random(seed);
  let inventory: Inventory;

  beforeAll(async () => {
    const unkind = [jitter(random.fork(), 2), conflicts(random.fork(), 0.03)];
    inventory = await startInventory({ table: (table) => disturbed(table, unkind) });
  });
  afterAll(() => inventory.stop());
  afterEach(() => wipe(inventory.table));

  test.each(races)('%s', async (_guarantee, round) => {
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      expectNone(await round({ ...inventory, random }), { repeat });
      await wipe(inventory.table);
    }
  });
});

describe(`races with lagging indexes, as in the real table (SEED=${seed})`, () => {
  const random = new Random(seed);
  let inventory: Inventory;
  let lag: ReturnType<typeof lagging>;

  beforeAll(async () => {
    inventory = await startInventory({
      table: (table) => {
        lag = lagging(table, { operations: 40, reads: 'index queries' });
        return disturbed(table, [lag.disturbance]);
      },
    });
  });
  afterAll(() => inventory.stop());

  test('(the index lags: a list shows an added object only later)', async () => {
    await addNode(inventory);
    const listed = async () => (await inventory.request('GET', '/v1/nodes')).body.nodes.length;
    expect(await listed()).toBe(0);
    await lag.catchUp();
    expect(await listed()).toBe(1);
    await lag.forget();
    await wipe(inventory.table);
  });

  test.each(lagRaces)('%s', async (_guarantee, round) => {
    expectNone(await round({ ...inventory, random, catchUp: lag.catchUp }));
    await lag.forget();
    await wipe(inventory.table);
  });
});

describe(`a node with more dependants than a transaction holds (SEED=${seed})`, () => {
  const random = new Random(seed);
  const cut = cutOff();
  let inventory: Inventory;

  beforeAll(async () => {
    inventory = await startInventory({ table: (table) => disturbed(table, [cut.disturbance]) });
  });
  afterAll(() => inventory.stop());
  afterEach(() => wipe(inventory.table));

  testInFull('is removed with force while others add to it and change its dependants', async () => {
    expectNone(await rounds.crowdedNodeAgainstAdds(crowd)({ ...inventory, random }));
  });

  test('keeps the invariants wherever its forced removal is interrupted, and the same call finishes it', async () => {
    const round = rounds.removalInPieces(crowd, (writes) => (writes === undefined ? cut.never() : cut.after(writes)));
    expectNone(await round({ ...inventory, random }));
  });
});

describe('during a forced removal', () => {
  let inventory: Inventory;
  let meanwhile: Disturbance | undefined;

  beforeAll(async () => {
    inventory = await startInventory({
      table: (table) => disturbed(table, [(command, next) => (meanwhile ?? ((_, go) => go(command)))(command, next)]),
    });
  });
  afterAll(() => inventory.stop());
  afterEach(async () => {
    meanwhile = undefined;
    await wipe(inventory.table);
  });

  const change = async (path: string, body: unknown) => {
    const reply = await inventory.request('PATCH', path, { body });
    expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 200 });
  };
  const removeWithForce = async (path: string) => {
    const { status, text } = await inventory.request('DELETE', `${path}?force=true`);
    expect({ status, text }).toEqual({ status: 204, text: '' });
  };
  const expectSound = async () => {
    const read = (path: string) => inventory.request('GET', path);
    expectNone(await checkInvariants(inventory.table, { read }));
  };
  /** Number of services on a node whose removal then takes several transactions. */
  const addServices = (nodeId: string, count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        addService(inventory, { service_name: `service ${100 + index}`, node_ids: [nodeId] }),
      ),
    );

  test('a service that leaves the node stays unchanged', async () => {
    const node = await addNode(inventory);
    const service = await addService(inventory, { node_ids: [node.node_id] });
    const path = `/v1/services/${service.service_id}`;
    meanwhile = once(isBatchGet, () => change(path, { node_ids: [] }));
    await removeWithForce(`/v1/nodes/${node.node_id}`);
    const reply = await inventory.request('GET', path);
    expect(reply).toMatchObject({ status: 200, body: { node_ids: [], revision: 2 } });
    await expectSound();
  });

  test('an agent that gives up its insight is not changed again', async () => {
    const service = await addService(inventory);
    const agent = await addAgent(inventory, {
      agent_type: 'external_exporter',
      listen_port: 1,
      insights: { service_ids: [service.service_id] },
    });
    const path = `/v1/agents/${agent.agent_id}`;
    meanwhile = once(isBatchGet, () => change(path, { insights: { service_ids: [] } }));
    await removeWithForce(`/v1/services/${service.service_id}`);
    const reply = await inventory.request('GET', path);
    expect(reply).toMatchObject({ status: 200, body: { insights: { service_ids: [] }, revision: 2 } });
    await expectSound();
  });

  test('a service that moves elsewhere accepts new dependants', async () => {
    const [node, other] = [await addNode(inventory), await addNode(inventory)];
    const [service] = await addServices(node.node_id, 60);
    const path = `/v1/services/${service.service_id}`;
    meanwhile = once(isTransaction, () => change(path, { node_ids: [node.node_id, other.node_id] }));
    await removeWithForce(`/v1/nodes/${node.node_id}`);
    expect(await inventory.request('GET', path)).toMatchObject({ status: 200, body: { node_ids: [other.node_id] } });
    await addAgent(inventory, {
      agent_type: 'external_exporter',
      listen_port: 1,
      insights: { service_ids: [service.service_id] },
    });
    await expectSound();
  });

  test('a changing dependant does not stop the removal', async () => {
    const node = await addNode(inventory);
    const services = await addServices(node.node_id, 60);
    let transactions = 0;
    // Neither the step that closes nor the first that removes.
    const isLater = (command: object) => isTransaction(command) && ++transactions > 2;
    const path = `/v1/services/${services.at(-1).service_id}`;
    meanwhile = once(isLater, () => change(path, { custom_labels: { a: 'b' } }));
    await removeWithForce(`/v1/nodes/${node.node_id}`);
    // The batch with it is split into its objects, and no other is written twice.
    expect(transactions).toBeLessThan(40);
    await expectSound();
  });

  test('that was interrupted, a service that is removed leaves nothing closed', async () => {
    const node = await addNode(inventory);
    const [service] = await addServices(node.node_id, 60);
    const cut = cutOff();
    meanwhile = cut.disturbance;
    cut.after(1);
    const path = `/v1/nodes/${node.node_id}`;
    expect((await inventory.request('DELETE', `${path}?force=true`)).status).toBeGreaterThanOrEqual(500);
    cut.never();
    // Whether that is refused or not, nothing may stay closed in the end.
    await inventory.request('PATCH', `/v1/services/${service.service_id}`, { body: { node_ids: [] } });
    await removeWithForce(path);
    await expectSound();
  });
});

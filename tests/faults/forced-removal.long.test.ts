import { inFull } from '../../shared/testing/extent.ts';
import { checkInvariants, objectIds, scan } from '../consistency/invariants.ts';
import { countFrom, Random } from '../consistency/random.ts';
import { crowdedNode, Recorder } from '../consistency/rounds.ts';
import type { Reply } from '../support/inventory.ts';
import { type FaultyInventory, startFaultyInventory } from './faulty-inventory.ts';
import { complaintsAbout, timed } from './outcome.ts';
import type { Rule } from './proxy.ts';

const DEPENDANTS = inFull(300, 130);

const seeds = Array.from({ length: countFrom('REMOVALS', inFull(4, 1)) }, (_, index) => countFrom('SEED', 1) + index);

let inventory: FaultyInventory;
let crowd: Awaited<ReturnType<typeof crowdedNode>>;
let asItWas: () => Promise<void>;
let complaints: string[];

beforeAll(async () => {
  inventory = await startFaultyInventory(1);
  const recorder = new Recorder(inventory);
  crowd = await crowdedNode(recorder, inventory.random, DEPENDANTS);
  expect(recorder.complaints).toEqual([]);
  asItWas = await inventory.keepData();
});
afterAll(() => inventory.stop());
beforeEach(async () => {
  complaints = [];
  await asItWas();
  inventory.newInstances();
});

/** The forced removal of the node. */
async function remove(): Promise<Reply> {
  const outcome = await timed(() => inventory.request('DELETE', `/v1/nodes/${crowd.node}?force=true`));
  complaints.push(...complaintsAbout('the removal', outcome));
  return outcome.reply;
}

async function expectSteps(): Promise<void> {
  complaints.push(...(await checkInvariants(inventory.table, { inProgress: true })));
}

/** Nothing to complain about, and everything is gone that had to go, and nothing else. */
async function expectFinished(): Promise<void> {
  complaints.push(...(await checkInvariants(inventory.table)));
  expect(complaints).toEqual([]);
  const present = objectIds(await scan(inventory.table));
  expect(crowd.going.filter(([, id]) => present.has(id))).toEqual([]);
  expect(crowd.staying.filter(([, id]) => !present.has(id))).toEqual([]);
  expect(present.has(crowd.node)).toBe(false);
  expect((await remove()).status).toBe(404);
}

/** From this write of the removal on, whatever follows. */
function fromWrite(write: number): Pick<Rule, 'operations' | 'at'> {
  return { operations: ['TransactWriteItems'], at: Array.from({ length: 100 }, (_, index) => write + index) };
}

let writes = 0;

test('an undisturbed removal takes many transactions', async () => {
  inventory.proxy.disturb();
  expect((await remove()).status).toBe(204);
  writes = inventory.proxy.calls.TransactWriteItems ?? 0;
  expect(writes).toBeGreaterThan(5);
  await expectFinished();
});

describe.each(seeds)('SEED=%d', (seed) => {
  const random = new Random(seed);

  test('a connection that dies at a random step keeps the invariants, and the next call finishes the removal', async () => {
    const kind = random.chance(0.5) ? 'lost call' : 'lost answer';
    inventory.proxy.disturb({ fault: { kind }, ...fromWrite(1 + random.below(writes)) });
    expect((await remove()).status).toBe(503);
    inventory.proxy.disturb();
    await inventory.proxy.idle();
    await expectSteps();
    expect([204, 404]).toContain((await remove()).status);
    await expectFinished();
  });

  test('an engine that is killed at a random step keeps the invariants, and the next call finishes the removal', async () => {
    let left = 1 + random.below(writes);
    // Somewhere in that write: before it, in the middle, or when it is done and not yet answered.
    const moment = random.below(8);
    let killed: Promise<void> | undefined;
    inventory.proxy.onCall = ({ operation }) => {
      if (operation !== 'TransactWriteItems' || --left !== 0) return;
      killed = new Promise((resolve, reject) => {
        setTimeout(() => void inventory.killEngine().then(resolve, reject), moment);
      });
    };
    const { status } = await remove();
    await killed;
    inventory.proxy.onCall = undefined;
    await inventory.restartEngine();
    // It may just have made it.
    expect([503, 204]).toContain(status);
    await expectSteps();
    expect([204, 404]).toContain((await remove()).status);
    await expectFinished();
  });
});

test('with every second reply lost, it is done in one call', async () => {
  inventory.proxy.disturb({ fault: { kind: 'lost answer' }, attempts: [1], probability: 0.5 });
  expect((await remove()).status).toBe(204);
  inventory.proxy.disturb();
  await expectFinished();
});

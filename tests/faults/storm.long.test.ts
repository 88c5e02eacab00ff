import { setTimeout as delay } from 'node:timers/promises';
import { inFull } from '../../shared/testing/extent.ts';
import { countFrom, Random } from '../consistency/random.ts';
import { allAtOnce } from './all-at-once.ts';
import { Clients } from './clients.ts';
import type { FaultyInventory } from './faulty-inventory.ts';
import { everyEndpointWorks, GATEWAY_MS } from './outcome.ts';
import type { Fault, FaultProxy, Rule } from './proxy.ts';

/** Everything that may happen at once. What costs seconds is rare, so that a storm is over in some. */
const troubles: readonly [number, Fault][] = [
  [0.03, { kind: 'lost call' }],
  [0.05, { kind: 'lost answer' }],
  [0.02, { kind: 'half answer' }],
  [0.02, { kind: 'error after all' }],
  [0.02, { kind: 'refusal', error: 'InternalServerError' }],
  [0.005, { kind: 'refusal', error: 'ProvisionedThroughputExceededException' }],
  [0.005, { kind: 'refusal', error: 'ThrottlingException' }],
  [0.005, { kind: 'refusal', error: 'RequestLimitExceeded' }],
  [0.06, { kind: 'conflict' }],
  [0.2, { kind: 'unprocessed' }],
  [0.05, { kind: 'slow answer', delayMs: 30 }],
  [0.05, { kind: 'late call', delayMs: 30 }],
  [0.01, { kind: 'dripping answer', everyMs: 1 }],
  [0.001, { kind: 'no answer' }],
  [0.001, { kind: 'stalled answer' }],
  [0.001, { kind: 'late call', delayMs: 3100 }],
];

/** What may happen to a repetition only. */
const inProgress: Rule = {
  fault: { kind: 'refusal', error: 'TransactionInProgressException' },
  attempts: [2, 3],
  probability: 0.3,
};

const everything: readonly Rule[] = [inProgress, ...troubles.map(([probability, fault]) => ({ fault, probability }))];

/** Clients under the rules, and the endpoints when the rules are gone. */
async function weather(
  inventory: FaultyInventory,
  rules: readonly Rule[],
  { turns, meanwhile }: { turns: number; meanwhile?: (clients: Clients) => Promise<void> },
): Promise<Pick<FaultProxy, 'struck'>> {
  const { proxy, random } = inventory;
  const clients = new Clients(inventory);
  proxy.disturb(...rules);
  await Promise.all([clients.work(random.fork(), turns), meanwhile?.(clients)]);
  const { struck } = proxy;
  proxy.disturb();
  await proxy.idle();
  const complaints = await clients.verdict();
  const works = await everyEndpointWorks(inventory);
  const { statuses, slowestMs } = clients;
  expect({ complaints, works, statuses, struck }).toEqual({ complaints: [], works: [], statuses, struck });
  expect(statuses[201]).toBeGreaterThan(5 * turns);
  expect(slowestMs).toBeLessThan(GATEWAY_MS);
  return { struck };
}

const TURNS = 3;

/** What strikes seldom needs more turns to be a sample. */
const single: readonly [probability: number, fault: Fault, turns?: number][] = [
  [0.3, { kind: 'lost call' }],
  [0.3, { kind: 'lost answer' }],
  [0.3, { kind: 'half answer' }],
  [0.3, { kind: 'error after all' }],
  [0.3, { kind: 'refusal', error: 'InternalServerError' }],
  // Rare: the SDK waits long after a throttled call.
  [0.03, { kind: 'refusal', error: 'ThrottlingException' }, 9],
  [0.4, { kind: 'conflict' }],
  [0.9, { kind: 'unprocessed' }],
  [0.3, { kind: 'slow answer', delayMs: 50 }],
  [0.3, { kind: 'late call', delayMs: 50 }],
];

const seed = countFrom('SEED', 1);
const seeds = Array.from({ length: countFrom('STORMS', inFull(2, 1)) }, (_, index) => seed + index);

const PROMISE = 'nothing acknowledged is lost, nothing is done twice, nothing dangles';

allAtOnce(
  [
    // The longest first.
    ...seeds.map((storm) => ({
      name: `a storm of everything (SEED=${storm}): ${PROMISE}`,
      seed: storm,
      work: async (inventory: FaultyInventory) => {
        await weather(inventory, everything, { turns: 5 });
      },
    })),
    ...seeds.map((storm) => ({
      name: `a storm, and the engine is killed and started again (SEED=${storm}): the same`,
      seed: storm,
      work: async (inventory: FaultyInventory) => {
        const random = new Random(storm);
        const meanwhile = async (clients: Clients) => {
          while (!clients.isOver) {
            await delay(200 + random.below(1000));
            // On a slow machine, nothing else would be answered between two starts of the engine.
            const enough = clients.answered + 50;
            await clients.untilAnswered(enough);
            await inventory.killEngine();
            await delay(random.below(100));
            await inventory.restartEngine();
          }
        };
        await weather(inventory, everything, { turns: 5, meanwhile });
        expect(inventory.restarts()).toBeGreaterThan(0);
      },
    })),
    ...inFull(single, single.slice(0, 2)).map(([probability, fault, turns = TURNS]) => ({
      name: `${JSON.stringify(fault)} with odds of ${probability} (SEED=${seed}): ${PROMISE}`,
      seed,
      work: async (inventory: FaultyInventory) => {
        const { struck } = await weather(inventory, [{ fault, probability }], { turns });
        expect(struck[fault.kind]).toBeGreaterThan(10);
      },
    })),
  ],
  { parallel: 5 },
);

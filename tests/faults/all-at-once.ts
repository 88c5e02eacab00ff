import { processClock } from '../../shared/core/monotonic-clock.ts';
import { runningFromTestTime } from '../support/test-time.ts';
import { type FaultyInventory, startFaultyInventory } from './faulty-inventory.ts';

export interface Scenario {
  name: string;
  seed: number;
  work: (inventory: FaultyInventory) => Promise<void>;
}

/**
 * A test for each scenario, each with an inventory of its own, all at once: most of what they do is wait. (jest's own
 * concurrent tests do not wait for hooks, and cannot import.)
 *
 * @param options.parallel number of concurrent tests; more of them would wait for the CPU, which adds to their times.
 */
export function allAtOnce(scenarios: readonly Scenario[], { parallel }: { parallel: number }): void {
  const inventories: FaultyInventory[] = [];
  const results: Promise<void>[] = [];

  beforeAll(async () => {
    for (const { seed } of scenarios)
      inventories.push(await startFaultyInventory(seed, processClock, runningFromTestTime(processClock)));
    const queues: Promise<unknown>[] = Array.from({ length: parallel }, () => Promise.resolve());
    for (const [index, { work }] of scenarios.entries()) {
      const queue = index % parallel;
      const result = queues[queue]!.then(() => work(inventories[index]!));
      results.push(result);
      // The test of the scenario reports the error.
      queues[queue] = result.catch(() => undefined);
    }
  });
  afterAll(() => Promise.all(inventories.map((inventory) => inventory.stop())));

  test.each(scenarios.map(({ name }, index) => [name, index] as const))('%s', (_name, index) => results[index]);
}

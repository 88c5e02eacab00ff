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
 * @param options.lanes so many at a time; too many would wait for the CPU, and be measured waiting.
 */
export function allAtOnce(scenarios: readonly Scenario[], { lanes: count }: { lanes: number }): void {
  const inventories: FaultyInventory[] = [];
  const results: Promise<void>[] = [];

  beforeAll(async () => {
    for (const { seed } of scenarios) inventories.push(await startFaultyInventory(seed));
    const lanes: Promise<unknown>[] = Array.from({ length: count }, () => Promise.resolve());
    for (const [index, { work }] of scenarios.entries()) {
      const lane = index % count;
      const result = lanes[lane]!.then(() => work(inventories[index]!));
      results.push(result);
      // It is told by its test, when that comes to it.
      lanes[lane] = result.catch(() => undefined);
    }
  });
  afterAll(() => Promise.all(inventories.map((inventory) => inventory.stop())));

  test.each(scenarios.map(({ name }, index) => [name, index] as const))('%s', (_name, index) => results[index]);
}

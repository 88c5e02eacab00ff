import { type Inventory, startInventory } from './inventory.ts';

const NOON = Date.parse('2030-01-01T12:00:00.000Z');

/** A time in minutes after noon. */
export const afterNoon = (minutes: number): Date => new Date(NOON + minutes * 60_000);

/** The same as a text. */
export const afterNoonText = (minutes: number): string => afterNoon(minutes).toISOString();

/** An inventory for each test, whose clock stands at noon until the test moves it. */
export function useInventoryAtNoon(): Inventory {
  const inventory = {} as Inventory;
  beforeEach(async () => {
    Object.assign(inventory, await startInventory());
    inventory.clock.now = afterNoon(0);
  });
  afterEach(() => inventory.stop());
  return inventory;
}

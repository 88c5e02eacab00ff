import { publishStatesOnSchedule } from '../../functions/triggers/state-events/handler.ts';
import { takeReport } from '../../functions/store/heartbeats/report.ts';
import { addHost } from '../support/add.ts';
import type { Inventory } from '../support/inventory.ts';
import { TEST_TIME } from '../support/test-time.ts';

/** Measures what a work does at the table. */
type During = (of: { function: string; request: string }, work: () => Promise<unknown>) => Promise<void>;

/** The passes over the states. Last of all measurements, because the clock of the inventory advances. */
export async function measureStates(inventory: Inventory, during: During): Promise<void> {
  const { clock, dependencies, table } = inventory;
  const pass = publishStatesOnSchedule(dependencies);
  const { pmmAgentId } = await addHost(inventory);
  const start = TEST_TIME + 86_400_000;
  clock.now = new Date(start);
  // What the measurements before have left.
  await pass();
  await takeReport(table, { pmmAgentId, contents: { agents: [] }, scope: undefined, limit: undefined, now: clock.now });
  await pass();
  await during({ function: 'stateEvents', request: 'nothing has changed (260 nodes)' }, pass);
  clock.now = new Date(start + 3_600_000);
  await during({ function: 'stateEvents', request: 'a node became offline' }, pass);
}

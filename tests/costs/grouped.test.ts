import { inFull } from '../../shared/testing/extent.ts';
import { type Inventory, startInventory } from '../support/inventory.ts';
import { GROUPED_HOSTS, groupedUnits } from './grouped.ts';
import { eventOf, openInvocations } from './invocation.ts';
import { isWrite, type Meter, meter } from './meter.ts';
import { TEST_TIME } from '../support/test-time.ts';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

let inventory: Inventory;
let count: Meter;
beforeAll(async () => {
  inventory = await startInventory({
    table: (table) => {
      count = meter(table);
      return table;
    },
  });
});
afterAll(() => inventory.stop());

/** In the short form fewer hosts: the items of a group are no more, and each heartbeat costs the same. */
const HOSTS = inFull(GROUPED_HOSTS, 100);

/** The agent processes of that many hosts. */
async function addHosts(hosts: number): Promise<string[]> {
  const ids: string[] = [];
  for (let first = 0; first < hosts; first += 100) {
    const operations = Array.from({ length: Math.min(100, hosts - first) }, (_, index) => `h${first + index}`).flatMap(
      (name) => [
        { op: 'addNode', ref: name, body: { node_type: 'generic', node_name: name, address: '10.0.0.1' } },
        { op: 'addAgent', body: { agent_type: 'pmm_agent', runs_on_node_id: `$${name}` } },
      ],
    );
    const { body } = await inventory.request('POST', '/v1/batch', { body: { operations } });
    ids.push(...body.results.filter((_: unknown, index: number) => index % 2 === 1).map(({ id }: any) => id));
  }
  return ids;
}

test("hosts in a relay's groups cost the units of docs/costs.md", async () => {
  const { invoke } = await openInvocations(inventory.dependencies);
  const start = TEST_TIME;
  const ids = await addHosts(HOSTS);
  const reports = ids.map((id) => ({ pmm_agent_id: id, agents: [] }));

  const units = async (minutes: number) => {
    inventory.clock.now = new Date(start + minutes * MINUTE);
    const event = eventOf({ method: 'POST', url: '/v1/reports', body: { reports } });
    const calls = await count.during(async () => expect((await invoke('takeReports', event)).statusCode).toBe(200));
    const sum = (write: boolean) =>
      calls.filter((call) => isWrite(call) === write).reduce((all, call) => all + call.units + call.refusedUnits, 0);
    return { readUnits: sum(false), writeUnits: sum(true) };
  };

  // The first report of each host is news. The hosts join a group by the next one.
  await units(0);
  await units(4);
  const measured = { unwritten: await units(8), written: await units(12) };
  const again = [await units(DAY / MINUTE + 13), await units(DAY / MINUTE + 17)];
  const renewed = {
    readUnits: again.reduce((all, { readUnits }) => all + readUnits, 0),
    writeUnits: again.reduce((all, { writeUnits }) => all + writeUnits, 0),
  };
  for (const [kind, stated] of Object.entries(groupedUnits)) {
    const measuredUnits = { ...measured, renewed }[kind as keyof typeof groupedUnits];
    const share = kind === 'renewed' ? HOSTS / GROUPED_HOSTS : 1;
    // The items of a group of fewer hosts are smaller.
    const mayBeLess = kind !== 'renewed' && HOSTS < GROUPED_HOSTS;
    for (const unit of ['readUnits', 'writeUnits'] as const) {
      // Items are compressed, and ids are random: an item can be a unit larger or smaller.
      const [expected, tolerance] = [stated[unit] * share, 1 + (stated[unit] * share) / 10];
      const isNear =
        measuredUnits[unit] <= expected + tolerance && (mayBeLess || measuredUnits[unit] >= expected - tolerance);
      expect([kind, unit, measuredUnits[unit], isNear]).toEqual([kind, unit, measuredUnits[unit], true]);
    }
  }
});

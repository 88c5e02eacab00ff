import { mock } from 'node:test';
import { inFull } from '../../shared/testing/extent.ts';
import { isWrite, type Meter, meter, type TableCall } from '../costs/meter.ts';
import { type ReportOutcome, startGatewayInProcess, type TestGateway } from '../support/agent-gateway.ts';
import { type Inventory, startInventory } from '../support/inventory.ts';
import { PmmAgent } from '../support/pmm-agent.ts';

/** More hosts cost less each: 1,000 share requests of 200 or more. */
const HOSTS = 200;
const HOURS = inFull(24, 2);

/** The most requests with heartbeats in the time between two heartbeats of a host, which is some 240 s. */
const REQUESTS_AT_MOST = 8 * HOURS * 15;

let inventory: Inventory;
let count: Meter;
let gateway: TestGateway;
let onReport: (outcome: ReportOutcome) => void = () => undefined;
const agents: PmmAgent[] = [];
beforeAll(async () => {
  inventory = await startInventory({
    table: (table) => {
      count = meter(table);
      return table;
    },
  });
}, 60_000);
afterAll(async () => {
  mock.timers.reset();
  for (const agent of agents) agent.close();
  await gateway.stop();
  await inventory.stop();
});

/** The agent processes of hosts with an exporter each. */
async function addHosts(): Promise<string[]> {
  const ids: string[] = [];
  for (let first = 0; first < HOSTS; first += 100) {
    const operations = Array.from({ length: 100 }, (_, index) => `h${first + index}`).flatMap((name) => [
      { op: 'addNode', ref: name, body: { node_type: 'generic', node_name: name, address: '10.0.0.1' } },
      { op: 'addAgent', ref: `${name}-p`, body: { agent_type: 'pmm_agent', runs_on_node_id: `$${name}` } },
      { op: 'addAgent', body: { agent_type: 'node_exporter', pmm_agent_id: `$${name}-p` } },
    ]);
    const { body } = await inventory.request('POST', '/v1/batch', { body: { operations } });
    ids.push(...body.results.filter((_: unknown, index: number) => index % 3 === 1).map(({ id }: any) => id));
  }
  return ids;
}

/** One turn of the event loop, in which a millisecond passes for timers. */
async function turn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  mock.timers.tick(1);
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await turn();
}

/** Time passes for the gateway and the service, a second at a time. Requests of a second end before the next one. */
async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    inventory.clock.now = new Date((inventory.clock.now?.getTime() ?? Date.now()) + 1000);
    gateway.advance(1000);
    mock.timers.tick(1000);
    await turn();
    await until(() => gateway.pending === 0);
  }
}

/** Read units and write units of the table, also of refused writes. */
const unitsOf = (calls: readonly TableCall[], write: boolean) =>
  calls.filter((call) => isWrite(call) === write).reduce((sum, call) => sum + call.units + call.refusedUnits, 0);

test(`a day of ${HOSTS} hosts reads at most 225 and writes at most 10.5 units a host for reports and checks of credentials`, async () => {
  const ids = await addHosts();
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  inventory.clock.now = new Date();
  // Pings and reads of the feed are no reports: they are left out, so that the day is short.
  gateway = await startGatewayInProcess(inventory, {
    pingMs: 10 * 86_400_000,
    feedMs: 10 * 86_400_000,
    onReport: (report) => onReport(report),
  });
  for (let first = 0; first < HOSTS; first += 50) {
    const some = ids.slice(first, first + 50).map((id) => {
      const authorization = `Bearer ${inventory.keys.Editor}`;
      return new PmmAgent({ port: gateway.port, plain: true, generation: 3, id, authorization });
    });
    agents.push(...some);
    await until(() => some.every(({ exporters }) => exporters.size === 1));
    // They start at different times.
    await pass(12);
  }
  await pass(1200);
  gateway.requests.clear();
  let reported = 0;
  onReport = () => (reported += 1);
  const calls = await count.during(() => pass(HOURS * 3600));
  const [reports = 0, checks = 0] = ['POST /v1/reports', 'POST /v1/gateway/admissions'].map((name) =>
    gateway.requests.get(name),
  );
  // None is lost: a host reports every 264 s at the latest.
  expect(reported).toBeGreaterThan((HOSTS * HOURS * 3600) / 270);
  expect(checks).toBeGreaterThanOrEqual((HOURS - 1) * Math.ceil(HOSTS / 100));
  expect(reports).toBeLessThanOrEqual(REQUESTS_AT_MOST);
  const hostDays = (HOSTS * HOURS) / 24;
  const [reads, writes] = [false, true].map((write) => unitsOf(calls, write) / hostDays);
  // Counted: 219 and 10.1 for a day; a heartbeat is stored in full once a day.
  expect(reads).toBeGreaterThan(0);
  expect(reads).toBeLessThanOrEqual(225);
  expect(writes).toBeLessThanOrEqual(10.5);
}, 3_600_000);

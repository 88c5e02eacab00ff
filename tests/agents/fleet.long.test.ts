import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { RECENT_MS } from '../../functions/store/history/change-feed.ts';
import { publishStatesOnSchedule } from '../../functions/triggers/state-events/handler.ts';
import { inFull } from '../../shared/testing/extent.ts';
import { type RunningGateway, startGateway } from '../support/container.ts';
import { type CountedApi, startCountedApi } from '../support/counted-api.ts';
import { type Inventory, startInventory } from '../support/inventory.ts';
import { ReturningAgent, type ReturningAgentOptions } from '../support/returning-agent.ts';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';

const HOSTS = inFull(200, 100);
const DRAINED = inFull(200, 20);

/** The most requests a second from agents that return, and admissions of each of them. */
const REQUESTS_PER_SECOND = 150;
const ADMISSIONS_PER_AGENT = 1.2;

let inventory: Inventory;
let api: CountedApi;
let folder: string;
const gateways = new Set<RunningGateway>();
const agents: ReturningAgent[] = [];
beforeEach(async () => {
  [inventory, folder] = [await startInventory(), await newDataDir()];
  api = await startCountedApi(inventory);
}, 60_000);
afterEach(async () => {
  for (const agent of agents.splice(0)) agent.close();
  await Promise.all([...gateways].map((gateway) => gateway.stop('SIGKILL')));
  gateways.clear();
  await api.stop();
  await inventory.stop();
  await removeDataDir(folder);
});

async function gateway(more: Record<string, string> = {}): Promise<RunningGateway> {
  const file = join(folder, 'gateway.key');
  await writeFile(file, inventory.keys.Gateway);
  const started = await startGateway({ API_URL: api.url, KEY_FILE: file, FEED_SECONDS: '1', ...more });
  gateways.add(started);
  return started;
}

/** The agent processes of new hosts, each with an exporter. */
async function addHosts(count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const operations = Array.from({ length: Math.min(100, count - ids.length) }, (_, index) => `h${index}`).flatMap(
      (ref) => [
        { op: 'addNode', ref, body: { node_type: 'generic', node_name: crypto.randomUUID(), address: '10.0.0.1' } },
        { op: 'addAgent', ref: `${ref}-p`, body: { agent_type: 'pmm_agent', runs_on_node_id: `$${ref}` } },
        { op: 'addAgent', body: { agent_type: 'node_exporter', pmm_agent_id: `$${ref}-p` } },
      ],
    );
    const { body } = await inventory.request('POST', '/v1/batch', { body: { operations } });
    ids.push(...body.results.filter((_: unknown, index: number) => index % 3 === 1).map(({ id }: any) => id));
  }
  return ids;
}

/** Connects them at once. */
function connect(ids: readonly string[], options: Omit<ReturningAgentOptions, 'id' | 'authorization'>): void {
  const authorization = `Bearer ${inventory.keys.Editor}`;
  agents.push(...ids.map((id) => new ReturningAgent({ ...options, id, authorization })));
}

/** Waits for a condition. The test ends it by its own time limit. */
async function until(isTrue: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isTrue())) await pause(100);
}

const nodesIn = async (state: string): Promise<number> => {
  let count = 0;
  for (let token = ''; ;) {
    const { status, body } = await inventory.request('GET', `/v1/nodes?state=${state}&page_size=1000${token}`);
    // A busy machine is asked again.
    if (status !== 200) return NaN;
    count += Number(body.nodes.length);
    if (body.next_page_token === undefined) return count;
    token = `&page_token=${encodeURIComponent(body.next_page_token)}`;
  }
};

/** The changes of states since the start, after a pass over all nodes. */
async function stateChanges(): Promise<unknown[]> {
  await publishStatesOnSchedule(inventory.dependencies)();
  return (await inventory.request('GET', '/v1/changes?kinds=state')).body.changes;
}

/** All agents have streams, and all their nodes are live. */
async function allLive(count: number): Promise<void> {
  await until(() => agents.every(({ isConnected }) => isConnected));
  await until(async () => (await nodesIn('live')) === count);
}

test(`${HOSTS} simultaneous agents share admission requests, which contain all that a gateway needs`, async () => {
  const ids = await addHosts(HOSTS);
  const { port } = await gateway();
  // The feed has passed the changes of the hosts: a host that changed just now would be read by itself. When more changes
  // are recent than a cursor lists, they arrive as soon as they are no longer recent.
  await pause(RECENT_MS + 5000);
  api.reset();
  await until(() => (api.requests.get('GET /v1/changes') ?? 0) > 3);
  api.reset();
  connect(ids, { port: () => port });
  await allLive(HOSTS);
  expect(api.admissions).toBeGreaterThanOrEqual(HOSTS);
  expect(api.admissions / HOSTS).toBeLessThanOrEqual(ADMISSIONS_PER_AGENT);
  expect(api.requests.get('POST /v1/gateway/admissions')).toBeLessThanOrEqual(HOSTS / 10);
  expect(api.most).toBeLessThanOrEqual(REQUESTS_PER_SECOND);
  // No host is read by itself.
  const paths = [...api.requests.keys()].sort();
  expect(paths).toEqual(['GET /v1/changes', 'POST /v1/gateway/admissions', 'POST /v1/reports']);
  expect(api.failures).toBe(0);
}, 600_000);

test('the agents of a killed gateway return to the other within the limits, and no state changes', async () => {
  const ids = await addHosts(HOSTS);
  const both = [await gateway(), await gateway()];
  let next = 0;
  const [lost, kept] = both as [RunningGateway, RunningGateway];
  const running = new Set(both.map(({ port }) => port));
  connect(ids, {
    port: () => {
      const ports = [...running];
      next += 1;
      return ports[next % ports.length]!;
    },
  });
  await allLive(HOSTS);
  const returning = agents.filter(({ at }) => at === lost.port);
  expect(returning.length).toBeGreaterThan(HOSTS / 4);
  api.reset();
  running.delete(lost.port);
  await lost.stop('SIGKILL');
  await until(() => returning.every(({ ends }) => ends.length === 1));
  await allLive(HOSTS);
  expect(agents.every(({ at }) => at === kept.port)).toBe(true);
  // Those of the other gateway noticed nothing.
  expect(agents.filter(({ ends }) => ends.length > 0)).toHaveLength(returning.length);
  expect(api.admissions).toBeGreaterThanOrEqual(returning.length);
  expect(api.admissions / returning.length).toBeLessThanOrEqual(ADMISSIONS_PER_AGENT);
  expect(api.most).toBeLessThanOrEqual(REQUESTS_PER_SECOND);
  expect(api.failures).toBe(0);
  expect(await stateChanges()).toEqual([]);
}, 600_000);

test('a deployment moves each stream of a gateway once, at its first attempt, and no state changes', async () => {
  const ids = await addHosts(DRAINED);
  const old = await gateway({ DRAIN_SECONDS: '20' });
  const events: string[] = [];
  let { port } = old;
  connect(ids, {
    port: () => port,
    onConnected: ({ at }) => events.push(at === old.port ? 'connected to the old one' : 'moved'),
    onEnded: () => events.push('ended'),
  });
  await allLive(DRAINED);
  const fresh = await gateway();
  const healthOf = async ({ healthPort }: RunningGateway) =>
    (await fetch(`http://127.0.0.1:${healthPort}/healthz`)).status;
  await until(async () => (await healthOf(fresh)) === 200);
  events.length = 0;
  const attempts = agents.reduce((sum, connecting) => sum + connecting.attempts, 0);
  // The balancer sends no connections to a gateway that is to end.
  ({ port } = fresh);
  const stopped = old.stop().then((code) => events.push(`exit ${code}`));
  await until(() => events.includes('ended'));
  // It was not ready before the first stream ended, and while others still run.
  expect(events.filter((event) => event === 'ended').length).toBeLessThan(DRAINED);
  expect(await healthOf(old)).toBe(503);
  await stopped;
  await until(() => agents.every(({ ends }) => ends.length > 0));
  await allLive(DRAINED);
  expect(events.filter((event) => event === 'ended')).toHaveLength(DRAINED);
  expect(events.filter((event) => event === 'moved')).toHaveLength(DRAINED);
  // One after the other: agents move while streams of others go on. The program ends after all of them.
  expect(events.indexOf('moved')).toBeLessThan(events.lastIndexOf('ended'));
  expect(events.indexOf('exit 0')).toBeGreaterThan(events.lastIndexOf('ended'));
  const end = { code: 14, message: 'The server stops. Try again.' };
  for (const { ends, at } of agents) expect([ends, at]).toEqual([[end], fresh.port]);
  expect(agents.reduce((sum, connecting) => sum + connecting.attempts, 0) - attempts).toBe(DRAINED);
  expect(await stateChanges()).toEqual([]);
}, 600_000);

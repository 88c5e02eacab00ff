import { addAgent, addHost } from '../../../../tests/support/add.ts';
import { addLimitedKey, type TeamHost, teamWorld } from '../../../../tests/support/teams.ts';
import type { Role } from '../../../../shared/auth/roles.ts';
import { TEST_TIME, testTime } from '../../../../tests/support/test-time.ts';
import { useCheckedInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useCheckedInventory();

const send = (reports: unknown, as: Role = 'Relay') =>
  inventory.request('POST', '/v1/reports', { as, body: { reports } });
const get = async (path: string) => (await inventory.request('GET', path, { as: 'Viewer' })).body;

async function host() {
  const { nodeId, pmmAgentId } = await addHost(inventory);
  const { agent_id: agentId } = await addAgent(inventory, { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId });
  return { nodeId, pmmAgentId, agentId: String(agentId) };
}

const running = ({ pmmAgentId, agentId }: { pmmAgentId: string; agentId: string }, status = 'running') => ({
  pmm_agent_id: pmmAgentId,
  agents: [{ agent_id: agentId, status }],
});

test('each host is live, and its agents have the reported status', async () => {
  const hosts = [await host(), await host(), await host()];
  const { status, body } = await send(hosts.map((member) => running(member)));
  expect(status).toBe(200);
  for (const [index, { nodeId, pmmAgentId, agentId }] of hosts.entries()) {
    const result = body.results[index];
    expect(result).toMatchObject({ status: 200, pmm_agent_id: pmmAgentId, report: { taken: 1, refused: [] } });
    expect(result.report.report_after_seconds).toBeGreaterThanOrEqual(216);
    expect(result.report.report_after_seconds).toBeLessThanOrEqual(264);
    const { reported_at } = result.report;
    expect(await get(`/v1/nodes/${nodeId}`)).toMatchObject({ state: 'live', reported_at });
    expect(await get(`/v1/agents/${agentId}`)).toMatchObject({ state: 'live', status: 'running' });
  }
});

test('equal reports are stored again when the stored ones are older than half of stale_after', async () => {
  const member = await host();
  const start = TEST_TIME;
  const report = async (minutes: number) => {
    inventory.clock.now = new Date(start + minutes * 60_000);
    const { results } = (await send([running(member)])).body;
    return (Date.parse(results[0].report.reported_at) - start) / 60_000;
  };
  const stored = [];
  for (const minutes of [0, 4, 8, 12, 16]) stored.push(await report(minutes));
  expect(stored).toEqual([0, 0, 8, 8, 16]);
});

test('a refused status, a missing host and a malformed report do not affect other results, which keep their places', async () => {
  const [good, wrong, other] = [await host(), await host(), await host()];
  await send([running(wrong)]);
  const missing = { pmm_agent_id: 'missing', agents: [] };
  const { status, body } = await send([
    { agents: [] },
    running(good),
    running(wrong, 'done'),
    running(good, 'waiting'),
    missing,
    { pmm_agent_id: other.pmmAgentId, agents: [{ agent_id: other.agentId, status: 'fine' }] },
    { pmm_agent_id: other.agentId, agents: [] },
    7,
    running(other),
  ]);
  expect(status).toBe(200);
  const details = (field: string, reason: string) => ({
    status: 400,
    error: { code: 3, details: [{ field, reason }] },
  });
  expect(body.results).toMatchObject([
    details('reports.0.pmm_agent_id', 'required'),
    { status: 200, pmm_agent_id: good.pmmAgentId, report: { taken: 1 } },
    { status: 200, report: { taken: 0, refused: [{ reason: 'impossible_transition' }] } },
    details('reports.3.pmm_agent_id', 'duplicate'),
    { status: 404, pmm_agent_id: 'missing', error: { code: 5 } },
    details('reports.5.agents.0.status', 'invalid_value'),
    { status: 400, pmm_agent_id: other.agentId, error: { code: 9 } },
    details('reports.7', 'invalid_type'),
    { status: 200, pmm_agent_id: other.pmmAgentId, report: { taken: 1 } },
  ]);
  expect(body.results).toHaveLength(9);
  expect(await get(`/v1/agents/${good.agentId}`)).toMatchObject({ status: 'running' });
});

test('only a report with news is logged', async () => {
  const member = await host();
  const lines = async (...sent: Parameters<typeof send>) => {
    const before = inventory.logged.length;
    expect((await send(...sent)).status).toBe(200);
    return inventory.logged.slice(before).map(({ endpoint }) => endpoint);
  };
  expect(await lines([running(member)])).toEqual(['takeReports']);
  expect(await lines([running(member)])).toEqual([]);
  expect(await lines([running(member), 7])).toEqual(['takeReports']);
  expect(await lines([running(member, 'waiting')])).toEqual(['takeReports']);
  // A single report as well.
  const alone = async () => {
    const before = inventory.logged.length;
    const body = { agents: running(member, 'waiting').agents };
    await inventory.request('POST', `/v1/agents/${member.pmmAgentId}/report`, { as: 'Editor', body });
    return inventory.logged.length - before;
  };
  expect(await alone()).toBe(0);
  inventory.clock.now = testTime(360_000);
  // Stored again, but no news.
  expect([await alone(), await lines([running(member, 'waiting')])]).toEqual([0, []]);
});

test('a violation of the request itself refuses all of it', async () => {
  const member = await host();
  for (const body of [
    {},
    { reports: 7 },
    { reports: [running(member)], more: 1 },
    { reports: Array(501).fill({}) },
    { reports: Array(501).fill(7) },
  ])
    expect(await inventory.request('POST', '/v1/reports', { as: 'Relay', body })).toMatchObject({ status: 400 });
  expect(await get(`/v1/nodes/${member.nodeId}`)).toMatchObject({ state: 'never_seen' });
  expect(await send([])).toMatchObject({ status: 200, body: { results: [] } });
});

test('a request may contain 500 hosts', async () => {
  const member = await host();
  const missing = Array.from({ length: 499 }, (_, index) => ({ pmm_agent_id: `missing-${index}`, agents: [] }));
  const { status, body } = await send([...missing, running(member)]);
  expect([status, body.results.length]).toEqual([200, 500]);
  expect(body.results.map((result: any) => result.status)).toEqual([...missing.map(() => 404), 200]);
});

test('a relay reports lost connections, restarts and reasons of hosts', async () => {
  const member = await host();
  await send([running(member)]);
  await send([{ pmm_agent_id: member.pmmAgentId, agents: [], connected: false }]);
  expect(await get(`/v1/nodes/${member.nodeId}`)).toMatchObject({ state: 'stale' });
  const agents = [{ agent_id: member.agentId, status: 'starting', status_reason: 'It began anew.' }];
  const { body } = await send([{ pmm_agent_id: member.pmmAgentId, agents, reset: true }]);
  expect(body.results).toMatchObject([{ status: 200, report: { taken: 1, refused: [] } }]);
  const shown = { state: 'live', status: 'starting', status_reason: 'It began anew.' };
  expect(await get(`/v1/agents/${member.agentId}`)).toMatchObject(shown);
});

test('a Gateway may only report, read changes and objects, and rotate its key', async () => {
  const member = await host();
  const reads = ['nodes', 'services', 'agents'].map((kind) => `/v1/${kind}`);
  for (const path of [...reads, `/v1/nodes/${member.nodeId}`, `/v1/agents/${member.agentId}`, '/v1/changes?since=now'])
    expect([path, await inventory.request('GET', path, { as: 'Gateway' })]).toMatchObject([path, { status: 200 }]);
  expect(await send([running(member)], 'Gateway')).toMatchObject({ status: 200 });
  for (const [method, path, body] of [
    ['GET', '/v1/caller'],
    ['GET', '/v1/summary'],
    ['GET', `/v1/agents/${member.agentId}/history`],
    ['GET', '/v1/export'],
    ['POST', `/v1/agents/${member.pmmAgentId}/report`, { agents: [] }],
    ['PATCH', `/v1/agents/${member.agentId}`, { disabled: true }],
    ['DELETE', `/v1/nodes/${member.nodeId}`],
    ['GET', '/v1/api-keys'],
  ] as const)
    expect([path, await inventory.request(method, path, { as: 'Gateway', ...(body && { body }) })]).toMatchObject([
      path,
      { status: 403 },
    ]);
});

test('the first report of a new connection is stored, also without news', async () => {
  const member = await host();
  const reported = async (more: object) => {
    const { body } = await send([{ pmm_agent_id: member.pmmAgentId, agents: [], ...more }], 'Gateway');
    return Date.parse(body.results[0].report.reported_at);
  };
  const first = await reported({});
  expect(await reported({})).toBe(first);
  expect(await reported({ connected: true })).toBeGreaterThan(first);
});

test('an Editor with owners reports only for their hosts, also without news', async () => {
  const { a, b } = await teamWorld(inventory);
  const team = await addLimitedKey(inventory, ['a']);
  const ofHost = ({ process, exporter }: TeamHost) =>
    running({ pmmAgentId: process.agent_id, agentId: exporter.agent_id });
  const reports = [ofHost(a), ofHost(b)];
  await send(reports);
  const { status, body } = await team.request('POST', '/v1/reports', { reports });
  expect(status).toBe(200);
  expect(body.results).toMatchObject([
    { status: 200, report: { taken: 1 } },
    { status: 403, error: { code: 7 } },
  ]);
});

test('a Relay may only report', async () => {
  const { nodeId, pmmAgentId } = await host();
  for (const [method, path, body] of [
    ['GET', '/v1/version'],
    ['GET', '/v1/caller'],
    ['GET', '/v1/nodes'],
    ['GET', `/v1/nodes/${nodeId}`],
    ['DELETE', `/v1/nodes/${nodeId}`],
    ['POST', `/v1/agents/${pmmAgentId}/report`, { agents: [] }],
    ['POST', '/v1/caller/rotate', {}],
    ['POST', '/v1/api-keys', { name: 'x', role: 'Viewer' }],
  ] as const)
    expect([path, await inventory.request(method, path, { as: 'Relay', ...(body && { body }) })]).toMatchObject([
      path,
      { status: 403 },
    ]);
  expect(await send([], 'Editor')).toMatchObject({ status: 200 });
  expect(await send([], 'Viewer')).toMatchObject({ status: 403 });
});

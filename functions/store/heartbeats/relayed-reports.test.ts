import { addAll, contextOf, exporter, node, pmmAgent, service } from '../../../tests/support/store.ts';
import { removeObject } from '../inventory/remove.ts';
import { takeReport } from './report.ts';
import { type HostReport, takeAllWithoutNews } from './relayed-reports.ts';
import { TEST_TIME } from '../../../tests/support/test-time.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();

const START = TEST_TIME;
const MINUTE = 60_000;

/** A host whose exporter was reported as running at START. */
async function host() {
  const place = node({ stale_after: '10m', offline_after: '30m' });
  const process = pmmAgent(place);
  const target = service([place]);
  const agent = exporter(process, [target]);
  await addAll(table, place, target, process, agent);
  const [pmmAgentId, agentId] = [process.object.agent_id, agent.object.agent_id];
  const agents: HostReport['agents'] = [{ agent_id: agentId, status: 'running' }];
  await takeReport(table, {
    pmmAgentId,
    contents: { agents },
    scope: undefined,
    limit: undefined,
    now: new Date(START),
  });
  return { pmmAgentId, agentId, said: { pmm_agent_id: pmmAgentId, agents } };
}

const without = async (reports: readonly HostReport[], after: number) => [
  ...(await takeAllWithoutNews(table, reports, new Date(START + after))).keys(),
];

test('an unchanged report needs no write until half of stale_after', async () => {
  const { pmmAgentId, said } = await host();
  expect(await without([said, { pmm_agent_id: pmmAgentId, agents: [] }], MINUTE)).toEqual([pmmAgentId]);
  expect(await without([said], 5 * MINUTE)).toEqual([]);
});

test('news, and what cannot be judged from the heartbeat, is left to a single report', async () => {
  const { pmmAgentId, agentId, said } = await host();
  for (const agents of [
    [{ agent_id: agentId, status: 'waiting' as const }],
    [{ agent_id: agentId, status: 'running' as const, version: '2' }],
    [{ agent_id: 'another', status: 'running' as const }],
    [{ agent_id: agentId, status: 'done' as const }],
  ])
    expect(await without([{ pmm_agent_id: pmmAgentId, agents }], 1)).toEqual([]);
  expect(await without([{ pmm_agent_id: 'missing', agents: [] }], 1)).toEqual([]);
  expect(await without([{ pmm_agent_id: agentId, agents: [] }], 1)).toEqual([]);
  await removeObject(table, 'agent', pmmAgentId, { force: true, ifMatch: undefined, writeContext: contextOf() });
  expect(await without([said], 1)).toEqual([]);
});

test('many hosts in two rounds of batch reads', async () => {
  const hosts = await Promise.all(Array.from({ length: 5 }, host));
  const reports = hosts.map(({ said }) => said);
  expect((await without(reports, 1)).sort()).toEqual(hosts.map(({ pmmAgentId }) => pmmAgentId).sort());
});

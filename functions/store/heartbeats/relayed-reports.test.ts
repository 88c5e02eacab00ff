import { addAll, contextOf, exporter, node, pmmAgent, service } from '../../../tests/support/store.ts';
import { removeObject } from '../inventory/remove.ts';
import { type Group, readGroups } from './group.ts';
import { readHeartbeat, readHeartbeats } from './heartbeat.ts';
import { takeReport } from './report.ts';
import { type HostReport, takeAllWithoutNews } from './relayed-reports.ts';
import { TEST_TIME } from '../../../tests/support/test-time.ts';
import { useTable } from '../../../tests/support/fixtures.ts';
import { disturbed, withSend } from '../../../tests/support/table.ts';

const { table } = useTable();

const START = TEST_TIME;
const MINUTE = 60_000;

/** A host whose exporter was reported as running at START. */
async function host(timers: Record<string, unknown> = { stale_after: '10m', offline_after: '30m' }) {
  const place = node(timers);
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
  const said = { pmm_agent_id: pmmAgentId, agents };
  return { nodeId: place.object.node_id, process, pmmAgentId, agentId, said };
}

const without = async (reports: readonly HostReport[], after: number) => [
  ...(await takeAllWithoutNews(table, reports, new Date(START + after))).keys(),
];

test('an unchanged report needs no write until half of stale_after', async () => {
  const { pmmAgentId, said } = await host();
  expect(await without([said, { pmm_agent_id: pmmAgentId, agents: [] }], MINUTE)).toEqual([pmmAgentId]);
  expect(await without([said], 5 * MINUTE)).toEqual([]);
});

test('news, and what the heartbeat does not decide, are left to a single report', async () => {
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

test('many hosts need two rounds of batch reads', async () => {
  const hosts = await Promise.all(Array.from({ length: 5 }, () => host()));
  const reports = hosts.map(({ said }) => said);
  expect((await without(reports, 1)).sort()).toEqual(hosts.map(({ pmmAgentId }) => pmmAgentId).sort());
});

describe('hosts that a relay reports together', () => {
  type Host = Awaited<ReturnType<typeof host>>;
  const hostsOf = (count: number, timers?: Record<string, unknown>) =>
    Promise.all(Array.from({ length: count }, () => host(timers)));
  const groupsOf = async (hosts: readonly Host[]) =>
    Promise.all(hosts.map(async ({ nodeId }) => (await readHeartbeat(table, nodeId))?.group?.id));
  const take = (hosts: readonly Host[], after: number) =>
    takeAllWithoutNews(
      table,
      hosts.map(({ said }) => said),
      new Date(START + after),
    );

  test('join a group, which takes their unchanged reports with one write for all', async () => {
    const hosts = await hostsOf(9);
    await take(hosts, MINUTE);
    const [id, ...others] = new Set(await groupsOf(hosts));
    expect([typeof id, others]).toEqual(['string', []]);
    const commands: string[] = [];
    const send = async (command: any) => {
      commands.push(command.constructor.name);
      return table.client.send(command);
    };
    const later = new Date(START + 8 * MINUTE);
    const said = hosts.map((host) => host.said);
    const results = await takeAllWithoutNews({ ...table, client: { send } as never }, said, later);
    expect([...results.values()]).toEqual(
      hosts.map(({ nodeId, pmmAgentId }) =>
        expect.objectContaining({
          heartbeat: expect.objectContaining({
            nodeId,
            processes: new Map([[pmmAgentId, { at: later.getTime(), agents: {} }]]),
          }),
          ...{ taken: 1, refused: [], hasNews: false },
        }),
      ),
    );
    // Some hosts and their group, whatever the number of hosts.
    expect(commands).toEqual([...Array(3).fill('BatchGetCommand'), 'UpdateCommand']);
    const [heartbeat] = (await readHeartbeats(table, [hosts[0]!.process])).values();
    expect(heartbeat!.processes.get(hosts[0]!.pmmAgentId)).toMatchObject({ at: later.getTime() });
  });

  test('stay in their group with a second report at the same time', async () => {
    const hosts = await hostsOf(9);
    await take(hosts, MINUTE);
    const groups = await groupsOf(hosts);
    expect((await take(hosts, MINUTE)).size).toBe(9);
    expect(await groupsOf(hosts)).toEqual(groups);
    expect(groups).not.toContain(undefined);
  });

  test('are taken by their group, also when another request stores its times first', async () => {
    const hosts = await hostsOf(9);
    await take(hosts, MINUTE);
    const said = hosts.map((host) => host.said);
    const commands: string[] = [];
    const rival = disturbed(table, () => take(hosts, 7 * MINUTE));
    const counted = withSend(rival, (command) => {
      commands.push(command.constructor.name);
      return rival.client.send(command);
    });
    const results = await takeAllWithoutNews(counted, said, new Date(START + 8 * MINUTE));
    expect([...results.keys()].sort()).toEqual(hosts.map(({ pmmAgentId }) => pmmAgentId).sort());
    // The write is refused, and the group, read again, says that none is necessary.
    expect(commands.slice(3)).toEqual(['UpdateCommand', 'BatchGetCommand']);
  });

  test("leave the group with news, with their last report's time, and the others stay", async () => {
    const hosts = await hostsOf(9);
    await take(hosts, MINUTE);
    const [first, ...rest] = hosts;
    const news = { ...first!.said, agents: [{ ...first!.said.agents[0]!, version: '2' }] };
    const results = await takeAllWithoutNews(
      table,
      [news, ...rest.map(({ said }) => said)],
      new Date(START + 2 * MINUTE),
    );
    expect([...results.keys()].sort()).toEqual(rest.map(({ pmmAgentId }) => pmmAgentId).sort());
    const [gone, ...staying] = await groupsOf(hosts);
    expect([gone, new Set(staying).size, staying.includes(undefined)]).toEqual([undefined, 1, false]);
    const heartbeat = (await readHeartbeat(table, first!.nodeId))!;
    expect(heartbeat.processes.get(first!.pmmAgentId)).toMatchObject({ at: START + MINUTE });
  });

  test('are taken by the groups that their heartbeats name', async () => {
    const [left, right] = [await hostsOf(8), await hostsOf(8)];
    await take(left, MINUTE);
    await take(right, MINUTE);
    const all = [...left, ...right];
    expect(new Set(await groupsOf(all)).size).toBe(2);
    expect((await take(all, 2 * MINUTE)).size).toBe(16);
    // Fewer than a group needs are found by their heartbeats.
    expect((await take(left.slice(0, 3), 8 * MINUTE)).size).toBe(3);
  });

  test.each([
    ['a day', { stale_after: '2d', offline_after: '3d' }, 24 * 60 * MINUTE],
    [
      'half of remove_after of an ephemeral node',
      { lifetime: 'ephemeral', stale_after: '40m', offline_after: '50m', remove_after: '1h' },
      30 * MINUTE,
    ],
    [
      'a day of an ephemeral node that is removed late',
      { lifetime: 'ephemeral', stale_after: '2d', offline_after: '3d', remove_after: '4d' },
      24 * 60 * MINUTE,
    ],
  ])('leave their group when the report in their heartbeat is older than %s', async (_, timers, most) => {
    const hosts = await hostsOf(8, timers);
    await take(hosts, MINUTE);
    expect((await take(hosts, most - 1)).size).toBe(8);
    expect(await groupsOf(hosts)).not.toContain(undefined);
    expect((await take(hosts, most)).size).toBe(0);
    expect(new Set(await groupsOf(hosts))).toEqual(new Set([undefined]));
  });

  test('are found in their group by the heartbeats of at most four of them', async () => {
    const hosts = await hostsOf(9);
    await take(hosts, MINUTE);
    const counts: number[] = [];
    const counted = withSend(table, (command) => {
      counts.push(command.input.RequestItems[table.name].Keys.length);
      return table.client.send(command);
    });
    const said = hosts.map((host) => host.said);
    expect((await takeAllWithoutNews(counted, said, new Date(START + 2 * MINUTE))).size).toBe(9);
    expect(counts).toEqual([expect.any(Number), expect.any(Number), 2]);
    expect(Math.max(...counts.slice(0, 2))).toBeLessThanOrEqual(4);
  });

  test('store their times as one version of the times of their group', async () => {
    const hosts = await hostsOf(8);
    await take(hosts, MINUTE);
    const [id = ''] = await groupsOf(hosts);
    const versions = async () => {
      const [{ version, timesVersion }] = (await readGroups(table, [id])) as [Group];
      return [version, timesVersion];
    };
    const [members, times] = (await versions()) as [number, number];
    await take(hosts, 8 * MINUTE);
    expect(await versions()).toEqual([members, times + 1]);
  });
});

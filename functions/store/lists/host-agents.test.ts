import type { Table } from '../../../shared/db/table.ts';
import { reportOf } from '../../../tests/support/report.ts';
import { addAll, exporter, external, node, pmmAgent, service } from '../../../tests/support/store.ts';
import { startTable, withSend } from '../../../tests/support/table.ts';
import { testTime } from '../../../tests/support/test-time.ts';
import { idOf } from '../entities/entity.ts';
import { readHeartbeat } from '../heartbeats/heartbeat.ts';
import { objectKey } from '../table/keys.ts';
import { type HostQuery, readHostAgents } from './host-agents.ts';

const types: HostQuery['types'] = ['mysqld_exporter', 'external_exporter'];

let table: Table;
let stop: () => Promise<void>;
beforeAll(async () => ({ table, stop } = await startTable()));
afterAll(() => stop());

/** Two nodes with an agent process and a service each. */
async function addHosts(at = table) {
  const [here, there] = [node(), node()];
  const [process, other] = [pmmAgent(here), pmmAgent(there)];
  const [local, remote] = [service([here]), service([there])];
  await addAll(at, here, there, process, other, local, remote);
  return { here, there, process, other, local, remote, nodeId: idOf(here) };
}

const idsOf = async (query: Partial<HostQuery> & Pick<HostQuery, 'nodeId'>) =>
  (await readHostAgents(table, { types, ...query })).agents.map(({ agent_id: id }) => id);

test('lists the agents that run on a node by type, then by id, with all nodes and services that they refer to', async () => {
  const { nodeId, there, process, other, local, remote } = await addHosts();
  const agents = Array.from({ length: 5 }, (_, index) => exporter(process, [index === 0 ? remote : local]));
  await addAll(table, ...agents, exporter(other, [local]));
  const anywhere = external({ services: [local] }, { runs_on_node_id: nodeId });
  await addAll(table, anywhere);
  const hostAgents = await readHostAgents(table, { nodeId, types });
  expect(hostAgents.agents.map(({ agent_id: id }) => id)).toEqual([idOf(anywhere), ...agents.map(idOf).sort()]);
  expect([...hostAgents.services.keys()].sort()).toEqual([idOf(local), idOf(remote)].sort());
  expect(hostAgents.nodes.has(nodeId)).toBe(true);
  expect(await idsOf({ nodeId, types: ['external_exporter'] })).toEqual([idOf(anywhere)]);
  expect(await idsOf({ nodeId: idOf(there), types: ['external_exporter'] })).toEqual([]);
});

test('an external exporter on no node belongs to a node if it monitors only this node and services that run only on it', async () => {
  const { nodeId, here, there, local, remote } = await addHosts();
  const shared = service([here, there]);
  await addAll(table, shared);
  const belonging = [
    external({ nodes: [here] }),
    external({ services: [local] }),
    external({ nodes: [here], services: [local] }),
  ];
  const others = [
    external({ nodes: [there] }),
    external({ nodes: [here, there] }),
    external({ services: [remote] }),
    external({ services: [shared] }),
    external({ services: [local, remote] }),
    external({ nodes: [here], services: [remote] }),
  ];
  for (const agent of [...belonging, ...others]) await addAll(table, agent);
  expect(await idsOf({ nodeId })).toEqual(belonging.map(idOf).sort());
  expect(await idsOf({ nodeId, types: ['mysqld_exporter'] })).toEqual([]);
});

test('a node that does not exist is not found', async () => {
  await expect(readHostAgents(table, { nodeId: 'none', types })).rejects.toMatchObject({ kind: 'notFound' });
});

test('the reported ports are those of the last report, or of the heartbeat that the caller has read', async () => {
  const { nodeId, process, local } = await addHosts();
  const agent = exporter(process, [local]);
  await addAll(table, agent);
  const portsIn = async (more: Partial<HostQuery> = {}) => [
    ...(await readHostAgents(table, { nodeId, types, ...more })).reportedPorts.entries(),
  ];
  const heartbeat = await readHeartbeat(table, nodeId);
  expect(await portsIn()).toEqual([]);
  await reportOf(table, process, testTime(), [{ agent_id: idOf(agent), status: 'running', listen_port: 42_000 }]);
  expect(await portsIn()).toEqual([[idOf(agent), 42_000]]);
  expect(await portsIn({ heartbeat: heartbeat! })).toEqual([]);
});

test('an item that an eventually consistent read misses is read again, strongly consistent', async () => {
  const eventual = await startTable(/./);
  const { nodeId, process, local } = await addHosts(eventual.table);
  const agent = exporter(process, [local]);
  await addAll(eventual.table, agent);
  const consistent: boolean[] = [];
  const send = async (command: any) => {
    const reply: any = await eventual.table.client.send(command);
    if (command.constructor.name !== 'BatchGetCommand') return reply;
    const [asked] = Object.values<any>(command.input.RequestItems);
    consistent.push(asked.ConsistentRead);
    if (asked.ConsistentRead === true) return reply;
    // The service is not visible yet.
    const [[name, items]] = Object.entries<any>(reply.Responses) as [[string, any[]]];
    return { ...reply, Responses: { [name]: items.filter(({ pk }) => pk !== objectKey('service', idOf(local)).pk) } };
  };
  const late: Table = withSend(eventual.table, send);
  const hostAgents = await readHostAgents(late, { nodeId, types, isConsistent: false });
  expect(hostAgents.agents.map(({ agent_id: id }) => id)).toEqual([idOf(agent)]);
  expect([...hostAgents.services.keys()]).toEqual([idOf(local)]);
  // Three more rounds look for the service; the second attempt finds it at once.
  expect(consistent).toEqual([false, false, false, false, true]);
  await eventual.stop();
});

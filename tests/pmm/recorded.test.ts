/** Requests as programs of both generations send them (data files), and what those programs need of the replies. */
import { readFile } from 'node:fs/promises';
import { addAgent, addHost, addNode, addService } from '../support/add.ts';
import { routeOf } from '../../functions/pmm/declarations/route.ts';
import { routes } from '../../functions/pmm/declarations/routes.ts';
import { agentTypes } from '../../functions/domain/agent/types.ts';
import { targetOf } from './objects.ts';
import { CANARY, uniqueName } from './pmm-client.ts';
import { startPmmInventory } from './pmm-inventory.ts';

const { inventory } = await startPmmInventory();

const read = async (file: string): Promise<any[]> => JSON.parse(await readFile(new URL(file, import.meta.url), 'utf8'));
const second = await read('./recorded-2.json');
const third = await read('./recorded-3.json');

/** Objects that the ids of a recording stand for, and names that no other recording has. */
async function scene(type: string | undefined) {
  const { nodeId, pmmAgentId } = await addHost(inventory);
  const agentType = agentTypes.find((candidate) => candidate === type);
  const target = agentType === undefined ? {} : targetOf(agentType);
  const isEndpointless = target.service === 'external' || target.service === 'haproxy';
  const service = await addService(inventory, {
    ...{ service_type: target.service ?? 'mysql', node_ids: [nodeId], service_name: uniqueName('m1') },
    ...(isEndpointless ? { address: undefined, port: undefined } : {}),
  });
  const rds = await addNode(inventory, { node_type: 'remote_rds', region: uniqueName('r'), address: 'db1' });
  const exporter = await addAgent(inventory, {
    ...{ agent_type: 'mysqld_exporter', pmm_agent_id: pmmAgentId, username: 'x' },
  });
  return {
    ...{ N1: nodeId, 'NODE-LOCAL': nodeId, A1: pmmAgentId, 'AGENT-LOCAL': pmmAgentId, N4: rds.node_id },
    ...{ S1: service.service_id, E1: exporter.agent_id, m1: service.service_name },
  } as Record<string, string>;
}

const named = ['service_name', 'node_name', 'region'];

/** The body with the ids of a scene, a canary as password, and names of its own. */
function filled(value: unknown, ids: Record<string, string>, isRemoval: boolean, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => filled(item, ids, isRemoval));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, filled(member, ids, isRemoval, key)]));
  if (typeof value !== 'string') return value;
  if (/password|secret/.test(name) && value !== '') return CANARY;
  if (named.includes(name) && value !== '') return isRemoval ? ids['m1'] : uniqueName(value);
  return Object.hasOwn(ids, value) ? ids[value] : value;
}

const memberAt = (body: any, path: string) => path.split('.').reduce((value, name) => value?.[name], body);

test('the recordings name every call that they use', () => {
  expect(second.length).toBeGreaterThan(50);
  for (const { calls } of second)
    for (const { path } of calls) expect([path, routeOf(routes, 'POST', path)?.route.generation]).toEqual([path, 2]);
});

test.each(second)('2: $command', async ({ calls, needs }) => {
  for (const { path, body } of calls) {
    const { route } = routeOf(routes, 'POST', path)!;
    const ids = await scene(route.operation === 'addAgent' ? route.type : undefined);
    const isRemoval = path.endsWith('/Service/Remove');
    const sent = filled(body, ids, isRemoval);
    const reply = await inventory.request('POST', path, { body: sent, as: 'Editor' });
    if (isRemoval && Object.keys(body).length === 1) {
      expect(reply).toMatchObject({ status: 400, body: { code: 3, error: 'service_id or service_name expected' } });
      return;
    }
    // Without force, a node or a service that others need stays: the program prints why.
    if (/\/Remove$/.test(path) && !isRemoval && body.force !== true) {
      expect([reply.status, reply.body.code, reply.body.error]).toEqual([
        400,
        9,
        expect.stringMatching(/has (agents|pmm-agent)\.$/),
      ]);
      return;
    }
    expect([reply.status, reply.text]).toEqual([200, expect.not.stringContaining(CANARY)]);
    if (needs !== undefined) expect(reply.body[needs]).toEqual(expect.any(Object));
    // Values zero are omitted.
    expect(reply.text).not.toMatch(/: (""|0|false|null|\{\}|\[\])/);
  }
});

test.each(third)('3: $command: $method $path', async ({ method, path, body, needs }) => {
  const ids = await scene(undefined);
  const url = Object.entries(ids).reduce<string>(
    (text, [name, id]) => text.replace(new RegExp(`\\b${name}\\b`), id),
    path,
  );
  const sent = body === undefined ? {} : { body: filled(body, ids, false) };
  const reply = await inventory.request(method, url, { ...sent, as: 'Editor' });
  expect([reply.status, reply.text]).toEqual([200, expect.not.stringContaining(CANARY)]);
  for (const path of needs) expect([path, memberAt(reply.body, path)]).toEqual([path, expect.anything()]);
});

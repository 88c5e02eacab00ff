import { randomUUID } from 'node:crypto';
import { commandCall } from '../../../../tests/support/command-call.ts';
import { fakeServer } from '../../../typescript/src/testing.ts';
import { createClient } from '../../../typescript/src/client.ts';
import { filtersWithIds, withIds } from './references.ts';

const [node, service, pmmAgent] = [randomUUID(), randomUUID(), randomUUID()];

/** A server of a node, its service and these agent processes on it. */
function client(...agents: string[]) {
  const call = commandCall({
    answer: ({ path }) => {
      const { pathname, searchParams } = new URL(path, 'http://x');
      const isAsked = searchParams.get('name_prefix') === 'db-1';
      if (pathname === '/v1/nodes') return { nodes: isAsked ? [{ node_id: node, node_name: 'db-1' }] : [] };
      if (pathname === '/v1/services')
        return { services: isAsked ? [{ service_id: service, service_name: 'db-1' }] : [] };
      if (pathname === '/v1/agents' && searchParams.get('agent_type') === 'pmm_agent')
        return { agents: agents.map((agent_id) => ({ agent_id })) };
      throw new Error(path);
    },
  });
  return call.connect();
}

test('names of other objects are replaced by their ids, also inside of insights', async () => {
  const body = {
    ...{ node_ids: ['db-1', node], runs_on_node_id: 'db-1', address: 'db-1', pmm_agent_id: 'db-1' },
    insights: { service_ids: ['db-1'], node_ids: [] },
  };
  expect(await withIds(await client(pmmAgent), body)).toEqual({
    ...{ node_ids: [node, node], runs_on_node_id: node, address: 'db-1', pmm_agent_id: pmmAgent },
    insights: { service_ids: [service], node_ids: [] },
  });
});

test('a name can have its kind before it', async () => {
  const body = { node_ids: ['node/db-1'], pmm_agent_id: 'node/db-1', runs_on_node_id: `node/${node}` };
  expect(await withIds(await client(pmmAgent), body)).toEqual({
    ...{ node_ids: [node], pmm_agent_id: pmmAgent, runs_on_node_id: node },
  });
  expect(await withIds(await client(), { pmm_agent_id: `agent/${pmmAgent}` })).toEqual({ pmm_agent_id: pmmAgent });
});

test('filters take names, and several of them', async () => {
  const query = { node_id: `db-1,${pmmAgent}`, service_id: 'service/db-1', pmm_agent_id: 'db-1', region: 'a,b' };
  expect(await filtersWithIds(await client(pmmAgent), query)).toEqual({
    ...{ node_id: `${node},${pmmAgent}`, service_id: service, pmm_agent_id: pmmAgent, region: 'a,b' },
  });
});

test('ids and cleared fields stay, without a request', async () => {
  const idle = createClient({ url: 'http://a', fetch: () => Promise.reject(new Error('no request')) });
  const body = { node_ids: [node], runs_on_node_id: null, pmm_agent_id: pmmAgent, insights: 7 };
  expect(await withIds(idle, body)).toEqual(body);
});

test('a name without an object is missing', async () => {
  await expect(withIds(await client(), { node_ids: ['absent'] })).rejects.toMatchObject({ exit: 'missing' });
  const fake = createClient({ url: 'http://a', fetch: fakeServer().fetch });
  await expect(withIds(fake, { runs_on_node_id: 'absent' })).rejects.toMatchObject({ exit: 'missing' });
});

test.each([
  ['No pmm_agent runs on db-1. Add it first: inventory add agent pmm_agent --runs-on-node-id db-1', []],
  ['More than one pmm_agent runs on db-1: give its id.', [randomUUID(), randomUUID()]],
])('an agent process that is not the only one on its node is an error: %s', async (message, agents) => {
  await expect(withIds(await client(...agents), { pmm_agent_id: 'db-1' })).rejects.toMatchObject({ message });
});

import { commandCall } from '../../../../tests/support/command-call.ts';
import type { Fields } from '../core/values.ts';
import { shownObjects } from './shown-objects.ts';

const node = { node_id: 'n', node_name: 'db-1' };
const agent = { agent_id: 'a', agent_type: 'pmm_agent', runs_on_node_id: 'n' };
const service = { service_id: 's', service_name: 'orders', node_ids: ['n'] };

/** The objects as a table or a program gets them, with the requests for names. */
async function shown(items: Parameters<typeof shownObjects>[1], objects: Fields[], options: Fields = {}) {
  const call = commandCall({ options, answer: () => ({ nodes: [node], services: [], agents: [] }) });
  const result = await shownObjects(await call.connect(), items, objects, call.output);
  return { result, requests: call.sent.length };
}

test('a table of agents has their titles, with the names of their nodes', async () => {
  const { result, requests } = await shown('agents', [agent]);
  expect(result).toMatchObject([{ ...agent, agent: expect.stringContaining('db-1') }]);
  expect(requests).toBeGreaterThan(0);
});

test('no name is read for nodes, for objects of another kind, for a program, or without a column of names', async () => {
  for (const [items, objects, options] of [
    ['nodes', [node], {}],
    ['clusters', [{ cluster: 'c' }], {}],
    ['agents', [agent], { output: 'json' }],
    ['services', [service], { columns: 'service_name' }],
  ] as const)
    expect(await shown(items, [...objects], options)).toEqual({ result: objects, requests: 0 });
});

import { randomUUID } from 'node:crypto';
import { commandCall } from '../../../../tests/support/command-call.ts';
import { idsOf, readNames, withIdsAs } from './names.ts';

const ids = (count: number) => Array.from({ length: count }, () => randomUUID());

/** Reads the names of these nodes from a server that has all but the first one. */
async function read(nodes: string[], givenNames?: Map<string, string>) {
  const call = commandCall({
    answer: ({ path }) => {
      const { searchParams } = new URL(path, 'http://x');
      const asked = searchParams.get('selector')?.match(/[0-9a-f-]{36}/g) ?? nodes;
      expect(searchParams.get('fields')).toBe('node_name');
      return { nodes: asked.filter((id) => id !== nodes[0]).map((id) => ({ node_id: id, node_name: `n-${id}` })) };
    },
  });
  const names = await readNames(await call.connect(), { nodes, services: [] }, givenNames);
  return { names, requests: call.sent.length, paths: call.sent.map(({ path }) => path) };
}

test('names are read once with few requests, and a missing object has none', async () => {
  const three = ids(3);
  const { names, requests } = await read([...three, ...three]);
  expect(requests).toBe(1);
  expect([...names]).toEqual(three.slice(1).map((id) => [id, `n-${id}`]));
  expect((await read(ids(80))).requests).toBe(2);
  expect((await read(ids(81))).requests).toBe(3);
});

test('for many names the whole list is read', async () => {
  const { names, paths } = await read(ids(401));
  expect([names.size, paths.length, paths[0]]).toEqual([400, 1, expect.not.stringContaining('selector')]);
});

test('known names are not read', async () => {
  const [first = '', two = ''] = ids(2);
  const givenNames = new Map([
    [first, 'a'],
    [two, 'b'],
  ]);
  expect(await read([first, two], givenNames)).toMatchObject({ names: givenNames, requests: 0 });
});

test('the ids in an object are those of its fields, also inside insights', () => {
  const object = {
    ...{ node_id: 'own', node_ids: ['a'], runs_on_node_id: 'b', pmm_agent_id: 'p', address: 'x' },
    insights: { node_ids: ['c'], service_ids: ['d'] },
  };
  expect(idsOf([object, {}])).toEqual({ nodes: ['a', 'b', 'c'], services: ['d'] });
  expect(withIdsAs(object, (id) => id.toUpperCase())).toEqual({
    ...{ node_id: 'own', node_ids: ['A'], runs_on_node_id: 'B', pmm_agent_id: 'p', address: 'x' },
    insights: { node_ids: ['C'], service_ids: ['D'] },
  });
});

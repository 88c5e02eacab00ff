import { silencesOn } from './silences-on.ts';

const labels = (node?: string) => ({ custom_labels: node === undefined ? {} : { place: node } });
const objects: Record<string, any> = {
  'node/a': { node_id: 'a', ...labels('east') },
  'node/b': { node_id: 'b', ...labels('west') },
  'service/on-a': { service_id: 'on-a', node_ids: ['a'], ...labels() },
  'service/on-both': { service_id: 'on-both', node_ids: ['a', 'b'], ...labels() },
  'service/nowhere': { service_id: 'nowhere', node_ids: [], ...labels() },
};
const agent = (host: string, nodes: string[] = [], services: string[] = []) => ({
  ...{ agent_id: 'agent', runs_on_node_id: host, ...labels() },
  insights: { node_ids: nodes, service_ids: services },
});

const reads: string[] = [];
const find = (kind: string, id: string) => {
  reads.push(`${kind}/${id}`);
  return Promise.resolve(objects[`${kind}/${id}`]);
};
const on = async (selectors: readonly string[], kind: 'node' | 'service' | 'agent', object: any) =>
  (
    await silencesOn(
      selectors.map((selector) => ({ selector })),
      kind,
      object,
      find,
    )
  ).map(({ selector }) => selector);

test("an object's own silence needs no other object", async () => {
  reads.length = 0;
  expect(await on(['place=east', 'node_id=b'], 'node', objects['node/a'])).toEqual(['place=east']);
  expect(reads).toEqual([]);
});

test('a service is silenced with all of its nodes only', async () => {
  expect(await on(['place=east'], 'service', objects['service/on-a'])).toEqual(['place=east']);
  expect(await on(['place=east'], 'service', objects['service/on-both'])).toEqual([]);
  expect(await on(['place=east', 'node_id=b'], 'service', objects['service/on-both'])).toEqual([
    'place=east',
    'node_id=b',
  ]);
  expect(await on(['place=east'], 'service', objects['service/nowhere'])).toEqual([]);
});

test('an agent is silenced with its node, or with all targets, also through their nodes', async () => {
  expect(await on(['node_id=a'], 'agent', agent('a'))).toEqual(['node_id=a']);
  expect(await on(['node_id=a'], 'agent', agent('b', ['a'], ['on-a']))).toEqual(['node_id=a']);
  expect(await on(['service_id=on-both'], 'agent', agent('b', [], ['on-both']))).toEqual(['service_id=on-both']);
  expect(await on(['node_id=a'], 'agent', agent('b', ['a'], ['nowhere']))).toEqual([]);
  expect(await on(['node_id=a'], 'agent', agent('b'))).toEqual([]);
});

test('an absent object silences nothing', async () => {
  expect(await on(['node_id=a'], 'service', { node_ids: ['gone'], ...labels() })).toEqual([]);
});

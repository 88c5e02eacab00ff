import { type Graph, graphOf, type GraphSource, treeOf } from './graph.ts';
import { BOX, drawingOf } from './layout.ts';

const source = (kind: GraphSource['kind'], id: string, more: Partial<GraphSource> = {}): GraphSource => ({
  kind,
  id,
  name: `${id}-name`,
  type: kind,
  object: { state: 'live' },
  runsOn: [],
  insights: [],
  ...more,
});

const process = source('agent', 'process', { type: 'pmm_agent', runsOn: ['host'] });
const exporter = source('agent', 'exporter', { runsOn: ['host'], runsUnder: 'process', insights: ['db', 'host'] });
const host = [
  source('node', 'host'),
  process,
  exporter,
  source('service', 'db', { runsOn: ['host', 'other'], object: { state: 'offline', node_ids: ['host'] } }),
];

const linesOf = ({ relations }: Graph) => relations.map(({ from, to, type }) => `${from} ${type} ${to}`);

test('an agent hangs from its process, and both it and the node lead to the service', () => {
  const graph = graphOf(host, 'host');
  expect(linesOf(graph)).toEqual(['host runs process', 'process runs exporter', 'exporter insight db', 'host runs db']);
  expect(graph.objects.map(({ id, health }) => [id, health?.word])).toEqual([
    ['host', 'Live'],
    ['process', 'Live'],
    ['exporter', 'Live'],
    ['db', 'Offline'],
  ]);
});

test('an object that several lists contain is drawn once', () => {
  expect(graphOf([...host, process, exporter], 'host')).toEqual(graphOf(host, 'host'));
});

test('of a large graph the subject, nodes, processes and what is not well are drawn, and the rest is counted', () => {
  const many = Array.from({ length: 100 }, (_, index) => source('agent', `agent-${index}`, { runsUnder: 'process' }));
  const waiting = source('agent', 'waiting', { runsUnder: 'process', object: { state: 'offline' } });
  const graph = graphOf([...many, waiting, ...host], 'db', 10);
  expect(graph.objects.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['db', 'host', 'process', 'waiting', 'agent-0']),
  );
  expect(graph.objects).toHaveLength(10);
  expect(graph.omitted).toEqual({ node: 0, service: 0, agent: 95 });
  expect(graph.relations.every(({ from, to }) => from !== 'agent-99' && to !== 'agent-99')).toBe(true);
});

test('the list form names everything, and what is below an object once', () => {
  const [root, ...others] = treeOf(graphOf(host, 'host'));
  expect(others).toEqual([]);
  expect(root?.object.id).toBe('host');
  expect(root?.branches.map(({ object, type }) => [object.id, type])).toEqual([
    ['process', 'runs'],
    ['db', 'runs'],
  ]);
  expect(root?.branches[0]?.branches[0]?.branches.map(({ object, type }) => [object.id, type])).toEqual([
    ['db', 'insight'],
  ]);
});

test('agents that watch the nodes of each other are in the list, and it ends', () => {
  const circle = ['a', 'b'].map((id) => source('agent', id, { insights: [id === 'a' ? 'b' : 'a'] }));
  const tree = treeOf(graphOf(circle, undefined));
  expect(tree.map(({ object }) => object.id)).toEqual(['a']);
  expect(tree[0]?.branches[0]?.object.id).toBe('b');
});

test('the drawing has room for each object, in columns by what runs on what, without overlaps', () => {
  const graph = graphOf(host, 'host');
  const { places, lines, width, height } = drawingOf(graph);
  const columns = ['host', 'process', 'exporter', 'db'].map((id) => places.get(id)!.x);
  expect(columns).toEqual(columns.toSorted((left, right) => left - right));
  expect(lines).toHaveLength(graph.relations.length);
  for (const line of lines) expect(line).toMatch(/^M[\d.]+ [\d.]+C/);
  const all = [...places.values()];
  for (const one of all) {
    expect(one.x + BOX.width).toBeLessThanOrEqual(width);
    expect(one.y + BOX.height).toBeLessThanOrEqual(height);
    const overlapping = all.filter(
      (other) => Math.abs(other.x - one.x) < BOX.width && Math.abs(other.y - one.y) < BOX.height,
    );
    expect(overlapping).toEqual([one]);
  }
});

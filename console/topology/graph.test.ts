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

/** A cluster: each of its services on a node of its own, with a process and an exporter. Every seventh host is offline. */
const clusterOf = (count: number) =>
  Array.from({ length: count }, (_, index): GraphSource[] => {
    const object = { state: index % 7 === 6 ? 'offline' : 'live' } as const;
    const [node, process, service] = [`node-${index}`, `process-${index}`, `service-${index}`];
    return [
      source('node', node, { object, type: 'generic' }),
      source('agent', process, { type: 'pmm_agent', runsOn: [node], object }),
      source('agent', `exporter-${index}`, { runsOn: [node], runsUnder: process, insights: [service], object }),
      source('service', service, { runsOn: [node], object: { ...object, node_ids: [node] } }),
    ];
  }).flat();

const idsOf = ({ objects }: Graph, kind: string) => objects.filter((one) => one.kind === kind).map(({ id }) => id);

test('a large cluster is drawn with all its members and nodes, and without the agents that are well', () => {
  const graph = graphOf(clusterOf(28), undefined);
  expect([idsOf(graph, 'node').length, idsOf(graph, 'service').length]).toEqual([28, 28]);
  expect(idsOf(graph, 'agent')).toEqual(['process-6', 'exporter-6', 'process-13', 'exporter-13']);
  expect(graph.omitted).toEqual({ node: 0, service: 0, agent: 52 });
  expect(linesOf(graph)).toContain('node-0 runs service-0');
  expect(graph.objects.slice(0, 2).map(({ id }) => id)).toEqual(['node-6', 'service-6']);
});

test('a cluster shows none of its agents that are well once it cannot show all of them', () => {
  const graph = graphOf(clusterOf(16), undefined);
  expect(idsOf(graph, 'agent')).toEqual(['process-6', 'exporter-6', 'process-13', 'exporter-13']);
  expect(graph.objects.length).toBeLessThan(60);
});

test('where services and nodes alone are too many, one box stands for the live nodes, and what is not well is drawn', () => {
  const graph = graphOf(clusterOf(42), undefined);
  expect(graph.objects).toHaveLength(60);
  expect(graph.objects[0]).toMatchObject({ kind: 'node', name: '36 live nodes', type: 'generic', isFold: true });
  expect(idsOf(graph, 'node').slice(1)).toEqual(['node-6', 'node-13', 'node-20', 'node-27', 'node-34', 'node-41']);
  expect(idsOf(graph, 'service')).toHaveLength(42);
  expect(graph.omitted).toEqual({ node: 0, service: 0, agent: 73 });
  expect(linesOf(graph)).toEqual(
    expect.arrayContaining(['live nodes runs service-0', 'live nodes runs service-40', 'node-6 runs service-6']),
  );
  const shared = graphOf(
    [...clusterOf(42), source('service', 'all', { runsOn: ['node-0', 'node-1', 'node-6'] })],
    undefined,
  );
  expect(linesOf(shared).filter((line) => line.endsWith(' all'))).toEqual(['live nodes runs all', 'node-6 runs all']);
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
  // From the right side of a box to the left side of the next one, in the middle of both.
  const ends = lines.map((line) =>
    [/^M(\S+) (\S+)C/, /(\S+) (\S+)$/].map((end) => end.exec(line)!.slice(1).map(Number)),
  );
  expect(ends).toEqual(
    graph.relations.map(({ from, to }) => {
      const [start, end] = [places.get(from)!, places.get(to)!];
      const middle = BOX.height / 2;
      return [
        [start.x + BOX.width, start.y + middle],
        [end.x, end.y + middle],
      ];
    }),
  );
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

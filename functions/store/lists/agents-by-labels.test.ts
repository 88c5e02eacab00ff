import type { Table } from '../../../shared/db/table.ts';
import { matchesSelector } from '../../../shared/selector/matches-selector.ts';
import { parseSelector } from '../../../shared/selector/parse-selector.ts';
import { addAll, exporter, external, node, pmmAgent, service } from '../../../tests/support/store.ts';
import { putObjectsWithHeartbeats } from '../../../tests/support/stored-objects.ts';
import { startTable } from '../../../tests/support/table.ts';
import { idOf } from '../entities/entity.ts';
import { agentsByLabels } from './agents-by-labels.ts';
import { readAgentsWithTargets } from './agents-with-targets.ts';
import { listeningTypes, targetOf, valueOfTarget } from './scrape-target.ts';

let table: Table;
let stop: () => Promise<void>;

const labels = (team: string) => ({ custom_labels: { team } });
const many = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`k${index}`, 'v']));
const [a, b, c] = [
  node({ region: 'eu', address: 'a', ...labels('node') }),
  node({ region: 'us', address: 'b', custom_labels: { ...many, zone: 'z' } }),
  node({ address: 'c' }),
];
const [pa, pb, pc] = [pmmAgent(a), pmmAgent(b), pmmAgent(c)];
const [sa, sb, sc] = [
  service([a], { cluster: 'one', ...labels('service') }),
  service([b], { cluster: 'two' }),
  service([c], { cluster: 'one' }),
];
const port = { listen_port: 9100 };
const agents = [
  exporter(pa, [sa], port),
  exporter(pb, [sb], { ...port, ...labels('agent') }),
  exporter(pc, [sc], port),
  // Watches a node and a service elsewhere.
  exporter(pc, [sa], port),
  external({ nodes: [a] }, port),
  // Has the node of its service.
  external({ services: [sb] }, port),
  // Runs on one node, and watches another.
  external({ nodes: [a] }, { ...port, runs_on_node_id: idOf(c) }),
];

beforeAll(async () => {
  ({ table, stop } = await startTable(/"(NODE|SERVICE|HEARTBEATS)#/));
  for (const object of [a, b, c, pa, pb, pc, sa, sb, sc, ...agents]) await addAll(table, object);
  // With this many, the label index costs less than the list.
  await putObjectsWithHeartbeats(
    table,
    Array.from({ length: 120 }, () => node()),
  );
});
afterAll(() => stop());

const selectors = [
  'team=node',
  'team=service',
  'team=agent',
  'team in (node,agent)',
  'team=nobody',
  'cluster=one',
  'cluster=one,team=service',
  'region=eu',
  'region=us',
  'insight_region=eu',
  'zone=z',
  'team=node,region!=us',
];

test.each(selectors)('a list by %s returns the targets that the whole list has for it', async (selector) => {
  const requirements = parseSelector(selector);
  const targets = async (asked: typeof requirements) => {
    const context = await readAgentsWithTargets(table, listeningTypes, { requirements: asked });
    return context.agents.flatMap((agent) => {
      const target = targetOf(agent, context);
      const isShown = target && matchesSelector(requirements, (label) => valueOfTarget(target, label));
      return isShown === true ? [target.group] : [];
    });
  };
  const expected = await targets([]);
  expect(await targets(requirements)).toEqual(expected);
  expect(expected.length > 0).toBe(selector !== 'team=nobody');
  expect(await agentsByLabels(table, listeningTypes, requirements)).toBeDefined();
});

test('reads only the agents of labelled objects, and only those of the requested types', async () => {
  const ids = async (selector: string, types = listeningTypes) =>
    (await agentsByLabels(table, types, parseSelector(selector)))?.map(({ agent_id: id }) => id).sort();
  // All that run on the node, or watch it.
  expect(await ids('region=eu')).toEqual([agents[0]!, agents[4]!, agents[6]!].map(idOf).sort());
  expect(await ids('cluster=one', ['node_exporter'])).toEqual([]);
  expect(await ids('zone=z')).toEqual([idOf(agents[1]!), idOf(agents[5]!)].sort());
});

test.each([
  'team!=node',
  'team',
  `team in (${Array.from({ length: 11 }, (_, index) => `t${index}`).join()})`,
  'node_name=x',
])('a selector %s reads the list', async (selector) => {
  expect(await agentsByLabels(table, listeningTypes, parseSelector(selector))).toBeUndefined();
});

test('a label that many objects have reads the list', async () => {
  const common = Array.from({ length: 12 }, () => node(labels('common')));
  const owners = async () => agentsByLabels(table, listeningTypes, parseSelector('team=common'));
  // 123 nodes and these: reading the agents of an object costs as much as reading 12 nodes of the list.
  await addAll(table, ...common.slice(0, 10));
  expect(await owners()).toBeDefined();
  await addAll(table, ...common.slice(10));
  expect(await owners()).toBeUndefined();
});

import { entity, exporter, external, node, pmmAgent, service } from '../../../tests/support/store.ts';
import { labelBytes, META, META_LABEL } from '../../domain/discovery/target-labels.ts';
import type { EntityOf } from '../entities/entity.ts';
import {
  labelBytesOf,
  listeningTypes,
  scrapedPort,
  type ScraperPlace,
  targetOf,
  valueOfTarget,
} from './scrape-target.ts';

const host = node({ node_id: 'n1', node_name: 'host', address: '10.0.0.1', region: 'eu', custom_labels: { a: 'n' } });
const other = node({ node_id: 'n2', address: '10.0.0.2', region: 'eu', custom_labels: { a: 'n' } });
const process = pmmAgent(host, { agent_id: 'p' });
const db = service([host], { service_id: 's1', service_name: 'db', cluster: 'c', custom_labels: { a: 's', b: 's' } });
const replica = service([other], { service_id: 's2', cluster: 'c', custom_labels: { a: 's', b: 'r' } });

const byId = <Item extends object>(entities: readonly { object: Item }[], id: keyof Item) =>
  new Map(entities.map(({ object }) => [String(object[id]), object]));

const context = (reportedPorts: ReadonlyMap<string, number> = new Map()) => ({
  agents: [],
  nodes: byId([host, other], 'node_id'),
  services: byId([db, replica], 'service_id'),
  reportedPorts,
});

const target = ({ object }: EntityOf<'agent'>, from?: ScraperPlace) => targetOf(object, context(), from);
const listening = (more: object = {}) => exporter(process, [db], { agent_id: 'x', listen_port: 42, ...more });

test('a target has the address of its node, the labels of a scrape, and those of its objects', () => {
  const scraped = target(listening())!;
  expect(scraped.group).toMatchObject({
    targets: ['10.0.0.1:42'],
    labels: {
      ...{ __metrics_path__: '/metrics', __scheme__: 'http', job: 'mysqld_exporter' },
      ...{ [`${META}node_name`]: 'host', [`${META}region`]: 'eu', [`${META}cluster`]: 'c', [`${META}agent_id`]: 'x' },
      ...{ [`${META_LABEL}a`]: 's', [`${META_LABEL}b`]: 's' },
    },
  });
  expect(scraped.group.labels).not.toHaveProperty(`${META}node_ids`);
  expect(scraped.group.labels).not.toHaveProperty(`${META}push_metrics`);
  expect([scraped.dropped, scraped.ip === undefined]).toEqual([0, false]);
});

test('a label of a nearer object has priority; a label that several objects do not share is absent', () => {
  const ownTarget = target(exporter(process, [db], { listen_port: 1, custom_labels: { a: 'x' } }))!;
  expect([...ownTarget.custom]).toEqual([
    ['a', 'x'],
    ['b', 's'],
  ]);
  const both = target(exporter(process, [db, replica], { listen_port: 1 }))!;
  expect([...both.custom]).toEqual([['a', 's']]);
  expect(both.attributes).toMatchObject({ cluster: 'c', service_ids: ',s1,s2,' });
  expect(both.attributes).not.toHaveProperty('service_id');
});

test.each<[string, EntityOf<'agent'>, string | undefined]>([
  ['its only target node', external({ nodes: [other] }), '10.0.0.2:1'],
  ['several target nodes: none', external({ nodes: [host, other] }), undefined],
  ['the node of its service', external({ services: [replica] }), '10.0.0.2:1'],
  ['services on several nodes: none', external({ services: [db, replica] }), undefined],
  ['objects that are unknown: none', external({ nodes: [node({ node_id: 'gone' })] }), undefined],
])('an agent without a place has the address of %s', (_, { object }, address) => {
  expect(targetOf(object, context())?.group.targets[0]).toBe(address);
});

test.each([
  ['db.example.com', 'db.example.com:1'],
  ['127.0.0.1', '10.0.0.1:1'],
  ['2001:db8::1', '[2001:db8::1]:1'],
  ['0.0.0.0', undefined],
])('an agent without a place that watches a service at %s has the address %s', (address, expected) => {
  const services = byId([service([host], { service_id: 's1', address })], 'service_id');
  const { object } = external({ services: [db] });
  const scraped = targetOf(object, { ...context(), services });
  expect(scraped?.group.targets[0]).toBe(expected);
});

test('a target shows the target nodes of an agent with a place beside its own node', () => {
  const insights = { node_ids: ['n1', 'n2'], service_ids: [] };
  const { attributes } = target(listening({ insights }))!;
  expect(attributes).toMatchObject({ node_id: 'n1', insight_node_id: 'n2' });
});

test.each([
  ['a declared port', listening(), 42, 42],
  ['the reported port', listening({ listen_port: undefined }), 7, 7],
  ['no port if it is disabled', listening({ disabled: true }), undefined, undefined],
  ['a port on its host alone if it pushes its metrics', listening({ push_metrics: true }), undefined, 42],
])('an agent has %s', (_, { object }, anywhere, onHost) => {
  const ports = new Map([['x', 7]]);
  expect([scrapedPort(object, ports), scrapedPort(object, ports, 'host')]).toEqual([anywhere, onHost]);
  expect([
    targetOf(object, context(ports)) === undefined,
    targetOf(object, context(ports), 'host') === undefined,
  ]).toEqual([anywhere === undefined, onHost === undefined]);
});

test('a scraper on the host reaches exporters of the agent process by the loopback address, with the same instance', () => {
  const { targets, labels } = target(listening({ push_metrics: true, expose_exporter: false }), 'host')!.group;
  expect([targets, labels]).toMatchObject([
    ['127.0.0.1:42'],
    { instance: '10.0.0.1:42', [`${META}push_metrics`]: 'true', [`${META}expose_exporter`]: 'false' },
  ]);
  const free = target(external({ nodes: [host] }), 'host')!.group;
  expect([free.targets, free.labels['instance']]).toEqual([['10.0.0.1:1'], undefined]);
});

const ofType = (agent_type: string, more: object = {}) =>
  entity('agent', { ...listening().object, agent_type, ...more });

test.each([
  ['nomad_agent', {}, { __metrics_path__: '/v1/metrics', __param_format: 'prometheus' }],
  ['rds_exporter', {}, { __metrics_path__: '/basic' }],
  ['rds_exporter', { disable_basic_metrics: true }, { __metrics_path__: '/enhanced' }],
  ['external_exporter', { metrics_path: '/own', scheme: 'https' }, { __metrics_path__: '/own', __scheme__: 'https' }],
])('a target of a %s with %j has its path', (type, more, labels) => {
  expect(target(ofType(type, more))!.group.labels).toMatchObject(labels);
});

test('a custom label never takes the place of an attribute or of a label of scrapers', () => {
  const custom_labels = { job: 'j', instance: 'i', node_id: 'x', region: 'us', own: 'o' };
  const scraped = target(listening({ custom_labels }))!;
  const { labels } = scraped.group;
  expect(labels).toMatchObject({ job: 'mysqld_exporter', [`${META}region`]: 'eu', [`${META_LABEL}own`]: 'o' });
  for (const name of ['job', 'instance', 'node_id', 'region']) expect(labels).not.toHaveProperty(META_LABEL + name);
  expect(['region', 'own', 'node_id', 'az'].map((name) => valueOfTarget(scraped, name))).toEqual([
    ...['eu', 'o', 'n1', undefined],
  ]);
});

test('an object adds at most the bytes of its attributes, its custom labels and its path', () => {
  const bytes = (more: object) => labelBytesOf(listening(more)) - labelBytesOf(listening());
  expect(bytes({ custom_labels: { own: 'o' } })).toBe(labelBytes(`${META_LABEL}own`, 'o'));
  expect(labelBytesOf(ofType('external_exporter', { metrics_path: '/own' }))).toBe(
    labelBytesOf(ofType('external_exporter')) + '/own'.length,
  );
});

test('the bytes of a node are those of its attributes, as nodes beside that of the agent show them, and its labels', () => {
  const { node_id, node_name, node_type } = host.object;
  const attributes = { node_id, node_name, node_type, region: 'eu' };
  const shown = Object.entries(attributes).map(([name, value]) => labelBytes(`${META}insight_${name}`, value));
  const sum = [labelBytes('', ''), ...shown, labelBytes(`${META_LABEL}a`, 'n')].reduce((left, right) => left + right);
  expect(labelBytesOf(host)).toBe(sum);
});

test('types that a scraper can read have a port', () => {
  expect(listeningTypes).toEqual(expect.arrayContaining(['mysqld_exporter', 'external_exporter', 'nomad_agent']));
  expect(listeningTypes).not.toContain('pmm_agent');
});

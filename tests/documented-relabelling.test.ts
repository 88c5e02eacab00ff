/** The documented configurations of scrapers, applied to targets with hostile custom labels. */
import { readdir, readFile } from 'node:fs/promises';
import { scraperLabels } from '../functions/domain/discovery/target-group.ts';
import { targetOf } from '../functions/store/lists/scrape-target.ts';
import { targetAttributes } from '../functions/domain/fields/filterable-labels.ts';
import { objectKinds } from '../functions/domain/fields/object-kind.ts';
import { documentedRules, relabelled } from './support/relabelling.ts';
import { exporter, node, pmmAgent, service } from './support/store.ts';

const root = new URL('../', import.meta.url);
const folder = await readdir(new URL('docs/', root), { recursive: true });
const documents = ['README.md', ...folder.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)];
const configurations = (
  await Promise.all(
    documents.map(async (name) =>
      documentedRules(await readFile(new URL(name, root), 'utf8')).map((rules, index) => ({
        name: `${name}, ${index + 1}`,
        rules,
      })),
    ),
  )
).flat();

const attributes = objectKinds.flatMap((kind) => targetAttributes(kind).map(([name]) => name));
const more = ['expose_exporter', 'push_metrics', 'node_ids', 'insight_node_name', 'insight_region', 'service_ids'];
const META = '__meta_inventory_';

/** Custom labels with every name that means something, and one that any object may have. */
const custom_labels = {
  ...Object.fromEntries([...attributes, ...more, ...scraperLabels].map((name) => [name, 'hostile'])),
  ...{ label_team: 'hostile', team: 'shop' },
};

/** What the list has of an exporter whose node, service and agent have these labels. */
function listed(): Record<string, string> {
  const texts = ['region', 'az', 'node_model', 'machine_id', 'container_id', 'container_name'];
  const values = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, `real ${name}`]));
  const host = node({ node_type: 'container', custom_labels, ...values(texts) });
  const process = pmmAgent(host);
  const db = service([host], { custom_labels, ...values(['environment', 'cluster', 'replication_set']) });
  const agent = exporter(process, [db], { listen_port: 9104, custom_labels, expose_exporter: true });
  const target = targetOf(agent.object, {
    agents: [agent.object],
    nodes: new Map([[host.object.node_id, host.object]]),
    services: new Map([[db.object.service_id, db.object]]),
    reportedPorts: new Map(),
  })!;
  return { __address__: target.group.targets[0]!, ...target.group.labels };
}

/** The same from a server that leaves out no label, as earlier versions. */
const unfiltered = (list: Record<string, string>): Record<string, string> => ({
  ...list,
  ...Object.fromEntries(Object.entries(custom_labels).map(([name, value]) => [`${META}label_${name}`, value])),
});

test('the documents contain the configurations of each scraper', () => {
  const inDiscovery = configurations.filter(({ name }) =>
    /^docs\/(discovery|own-targets|large-discovery)\.md/.test(name),
  );
  expect(inDiscovery).toHaveLength(6);
  expect(inDiscovery.filter(({ rules }) => rules.some(({ regex }) => regex?.endsWith('label_(.+)')))).toHaveLength(5);
});

test('docs/discovery.md lists the labels of Prometheus', async () => {
  const text = await readFile(new URL('docs/discovery.md', root), 'utf8');
  expect(text).toContain(`- a label with a meaning: ${scraperLabels.map((name) => `\`${name}\``).join(', ')}.\n`);
});

describe.each(configurations)('$name', ({ rules }) => {
  const list = listed();
  const ofHost = { ...list, __address__: '127.0.0.1:9104', instance: list['__address__']! };
  const hasCustomLabels = rules.some(({ regex }) => regex?.endsWith('label_(.+)'));

  test.each([
    ['for all', list],
    ['of a host', ofHost],
  ])('no custom label replaces a target attribute or a Prometheus label: the list %s', (_, target) => {
    const labels = relabelled(target, rules)!;
    expect(labels).toMatchObject({ instance: list['__address__'], job: 'mysqld_exporter' });
    for (const name of attributes.filter((attribute) => list[META + attribute] !== undefined))
      expect([name, labels[name]]).toEqual([name, labels[name] === undefined ? undefined : list[META + name]]);
    for (const name of scraperLabels.slice(2)) expect([name, labels[name]]).toEqual([name, undefined]);
    expect(labels['team']).toBe(hasCustomLabels ? 'shop' : undefined);
  });

  test.each([
    ['for all', unfiltered(list)],
    ['of a host', unfiltered(ofHost)],
  ])(
    'no custom label does so in a list of an earlier version, for what the configuration maps: the list %s',
    (_, target) => {
      const labels = relabelled(target, rules)!;
      expect(labels).toMatchObject({ instance: list['__address__'], job: 'mysqld_exporter' });
      for (const name of [
        'agent_id',
        'environment',
        'cluster',
        'replication_set',
        'region',
        'az',
        'node_name',
        'service_name',
      ])
        expect([name, labels[name]]).toEqual([name, list[META + name]]);
      for (const name of scraperLabels.slice(2)) expect([name, labels[name]]).toEqual([name, undefined]);
    },
  );
});

import fc from '../../shared/testing/fast-check.ts';
import type { StoredObject } from './indexed-object.ts';
import { InventoryIndex, type ObjectChange } from './inventory-index.ts';

const record = { created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z', revision: 1 };
const node = (name: string, fields: object = {}): StoredObject => ({
  kind: 'node',
  object: { node_id: `id-${name}`, node_type: 'generic', node_name: name, ...record, custom_labels: {}, ...fields },
});
const service = (name: string, fields: object = {}): StoredObject => ({
  kind: 'service',
  object: {
    ...{ service_id: `id-${name}`, service_type: 'mysql', service_name: name, node_ids: [] },
    ...{ ...record, custom_labels: {}, ...fields },
  },
});
const agent = (id: string, fields: object = {}): StoredObject => ({
  kind: 'agent',
  object: {
    ...{ agent_id: id, agent_type: 'mysqld_exporter', insights: { node_ids: [], service_ids: [] } },
    ...{ ...record, custom_labels: {}, ...fields },
  },
});

const objects = [
  node('db-10', { address: '10.0.0.10', region: 'eu-1' }),
  node('db-9', { address: '10.0.0.9', custom_labels: { team: 'Payments' } }),
  node('DB-2', { address: '10.0.0.2', region: 'us-1', custom_labels: { team: 'search' } }),
  service('orders', { cluster: 'pxc-eu', address: '10.0.0.10', port: 3306, node_ids: ['id-db-10'] }),
  service('orders-replica', { cluster: 'pxc-eu', environment: 'prod', node_ids: ['id-db-9'] }),
  service('pay', { node_ids: ['id-db-9'] }),
  agent('a1', { runs_on_node_id: 'id-db-10', insights: { node_ids: [], service_ids: ['id-orders'] } }),
  agent('a2', {
    ...{ runs_on_node_id: 'id-db-9', disabled: true },
    insights: { node_ids: ['id-db-9'], service_ids: ['id-pay'] },
  }),
];

function indexOf(...all: readonly StoredObject[]): InventoryIndex {
  const index = new InventoryIndex();
  for (const stored of all) index.add(stored);
  return index;
}

const idsFor = (index: InventoryIndex, text: string) => {
  const { cluster, node: nodes, service: services, agent: agents } = index.search(text, 10);
  return [cluster, nodes, services, agents].flatMap(({ hits }) => hits.map(({ id }) => id));
};

describe('search', () => {
  const index = indexOf(...objects);

  test.each([
    ['db-1', ['id-db-10']],
    ['DB', ['id-DB-2', 'id-db-10', 'id-db-9']],
    ['0.0.9', ['id-db-9']],
    ['10:3306', ['id-orders']],
    ['payMENTS', ['id-db-9']],
    ['pxc', ['pxc-eu', 'id-orders', 'id-orders-replica']],
    ['pxc prod', ['id-orders-replica']],
    ['id-pay', ['id-pay']],
    ['mysqld', ['a1', 'a2']],
    ['nothing', []],
    ['  ', []],
  ])('%j', (text, ids) => expect(idsFor(index, text)).toEqual(ids));

  test('finds the equal name first, then prefixes, then other matches', () => {
    const ranked = indexOf(node('b-x'), node('x-b'), node('x'), node('a', { custom_labels: { l: 'x' } }));
    expect(idsFor(ranked, 'x')).toEqual(['id-x', 'id-x-b', 'id-b-x', 'id-a']);
  });

  test.each([
    ['10.20.3.17', ['exact', 'other', 'a-170', 'b-171']],
    ['10.20.3.1', ['a-170', 'b-171', 'exact', 'other']],
    ['10.20.3.17:3306', ['sql']],
    ['db-1', ['db-1', 'db-1-b', 'old-db-1', 'db-10', 'adb-1']],
    ['id-db-1', ['db-1', 'db-1-b', 'db-10']],
  ])('%j finds the equal name, address or id first, then whole words, then prefixes', (text, names) => {
    const ranked = indexOf(
      ...['db-10', 'old-db-1', 'adb-1', 'db-1-b', 'db-1'].map((name) => node(name)),
      node('b-171', { address: '10.20.3.171' }),
      node('a-170', { address: '10.20.3.170' }),
      node('exact', { address: '10.20.3.17' }),
      node('other', { address: 'gateway.10.20.3.17' }),
      service('sql', { address: '10.20.3.17', port: 3306 }),
    );
    const services = ranked.search(text, 10).service.hits.map(({ name }) => name);
    const nodes = ranked.search(text, 10).node.hits.map(({ name }) => name);
    expect(nodes.length > 0 ? nodes : services).toEqual(names);
  });

  test('states why a result was found and where an agent runs, and totals count all', () => {
    expect(index.search('payments', 10).node.hits[0]!.match).toEqual({ field: 'team', value: 'Payments' });
    expect(index.search('db-9', 10).node.hits[0]!.match).toBeUndefined();
    expect(index.search('a1', 10).agent.hits[0]).toMatchObject({ place: 'db-10', type: 'mysqld_exporter' });
    expect(index.search('orders', 1).service).toMatchObject({ total: 2, hits: [{ id: 'id-orders' }] });
  });

  test('finds every part of every name in any letter case', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 12 }), fc.nat(), fc.nat(), (name, from, length) => {
        const part = name.slice(from % name.length, (from % name.length) + 1 + (length % name.length));
        fc.pre(part.trim() !== '' && part.toUpperCase().toLowerCase() === part.toLowerCase());
        expect(idsFor(indexOf(node(name)), part.toUpperCase())).toEqual([`id-${name}`]);
      }),
    );
  });
});

describe('list', () => {
  const index = indexOf(...objects);
  const standard = { sortBy: undefined, descending: false, offset: 0, limit: 10 };
  const ids = (kind: 'node' | 'service' | 'agent', query: object = {}, filters: Record<string, string> = {}) =>
    index.list({ kind, filters, ...standard, ...query })?.objects.map((object) => object[`${kind}_id`]);

  test.each([
    ['node', { region: 'eu-1' }, ['id-db-10']],
    ['node', { name_prefix: 'db-' }, ['id-db-10', 'id-db-9']],
    ['node', { selector: 'team' }, ['id-DB-2', 'id-db-9']],
    ['node', { selector: 'region!=eu-1,team in (search,other)' }, ['id-DB-2']],
    ['service', { cluster: 'pxc-eu', environment: 'prod' }, ['id-orders-replica']],
    ['node', { name_contains: 'B-1' }, ['id-db-10']],
    ['node', { address_contains: '0.0.1' }, ['id-db-10']],
    ['node', { name_contains: 'db', address_contains: '.2' }, ['id-DB-2']],
    ['service', { name_contains: 'ORDERS' }, ['id-orders', 'id-orders-replica']],
    ['service', { port: '3306' }, ['id-orders']],
    ['service', { port: '330' }, []],
    ['service', { address_contains: '10', name_contains: 'rep' }, []],
    ['service', { node_id: 'id-db-9' }, ['id-orders-replica', 'id-pay']],
    ['agent', { runs_on_node_id: 'id-db-9' }, ['a2']],
    ['agent', { service_id: 'id-orders' }, ['a1']],
    ['agent', { node_id: 'id-db-9' }, ['a2']],
    ['agent', { cluster: 'pxc-eu' }, ['a1']],
    ['agent', { disabled: 'true' }, ['a2']],
    ['agent', { disabled: 'false', cluster: 'pxc-eu' }, ['a1']],
    ['node', { updated_since: '2026-01-01T00:00:00Z' }, ['id-DB-2', 'id-db-10', 'id-db-9']],
    ['node', { updated_since: '2026-01-01T00:00:01Z' }, []],
  ] as const)('%s %j', (kind, filters, expected) => expect(ids(kind, {}, filters)).toEqual(expected));

  test.each([
    ['state', 'offline'],
    ['selector', '=='],
    ['updated_since', 'yesterday'],
    ['unknown', 'x'],
  ])('the index cannot decide the filter %s=%s', (name, value) =>
    expect(ids('node', {}, { [name]: value })).toBeUndefined(),
  );

  test('numbers within a text sort as numbers, references by name, and missing values are last', () => {
    expect(ids('node', { sortBy: 'address' })).toEqual(['id-DB-2', 'id-db-9', 'id-db-10']);
    expect(ids('node', { sortBy: 'region' })).toEqual(['id-db-10', 'id-DB-2', 'id-db-9']);
    expect(ids('node', { sortBy: 'region', descending: true })).toEqual(['id-DB-2', 'id-db-10', 'id-db-9']);
    expect(ids('node', { sortBy: 'label.team' })).toEqual(['id-db-9', 'id-DB-2', 'id-db-10']);
    expect(ids('agent', { sortBy: 'runs_on_node_id' })).toEqual(['a2', 'a1']);
  });

  test('has pages in one order, with the total', () => {
    expect(index.list({ kind: 'node', filters: {}, ...standard, offset: 1, limit: 1 })).toMatchObject({
      total: 3,
      objects: [{ node_id: 'id-db-10' }],
    });
  });

  test('objects of one name are in the order of their ids', () => {
    const agents = indexOf(agent('a2'), agent('a3'), agent('a1'));
    expect(idsFor(agents, 'mysqld')).toEqual(['a1', 'a2', 'a3']);
  });

  test('knows 1,000 values of a field', () => {
    const nodes = Array.from({ length: 1001 }, (_, index) => node(`n${index}`, { region: `r${index}` }));
    expect(indexOf(...nodes).values('node', ['region'])['region']).toHaveLength(1000);
  });

  test('knows the values of fields and labels', () => {
    expect(index.values('node', ['region'])).toEqual({ region: ['eu-1', 'us-1'] });
    expect(index.labels('node')).toEqual({ team: ['Payments', 'search'] });
    const attributes = { node_model: 'm5', machine_id: 'unique', custom_labels: { node_model: 'hidden' } };
    const inventory = indexOf(node('a', attributes), service('b', { replication_set: 'rs0', cluster: 'c' }));
    expect(inventory.labels('node')).toEqual({ machine_id: [], node_model: ['m5'] });
    expect(inventory.labels('service')).toEqual({ replication_set: ['rs0'] });
    expect(index.clusterNames()).toEqual(['pxc-eu']);
  });
});

describe('changes', () => {
  const change = (action: ObjectChange['action'], revision: number, fields: object = {}): ObjectChange => ({
    ...{ kind: 'node', id: 'id-n', action, revision },
    ...fields,
  });

  test('an added object is found, a changed one by its new values only, a removed one not at all', () => {
    const index = indexOf();
    index.take(change('added', 1, { after: node('n', { address: 'old', region: 'eu' }).object }));
    expect(idsFor(index, 'old')).toEqual(['id-n']);
    index.take(change('changed', 2, { before: { address: 'old', region: 'eu' }, after: { address: 'new' } }));
    expect([idsFor(index, 'old'), idsFor(index, 'new'), idsFor(index, 'eu')]).toEqual([[], ['id-n'], []]);
    index.take(change('removed', 2));
    expect([idsFor(index, 'new'), index.size]).toEqual([[], 0]);
  });

  test('a change that the object already contains has no effect', () => {
    const index = indexOf(node('n', { revision: 3, address: 'third' }));
    expect(index.take(change('changed', 2, { after: { address: 'second' } }))).toBeUndefined();
    expect(idsFor(index, 'third')).toEqual(['id-n']);
  });
});

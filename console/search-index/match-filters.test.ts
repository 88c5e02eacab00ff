import type { ObjectKind } from '../../functions/domain/fields/object-kind.ts';
import { indexed, type PlainObject } from './indexed-object.ts';
import { canFilter, type IndexFilters, testOf } from './match-filters.ts';
import { NO_VALUE } from './no-value.ts';

const object = (fields: object): PlainObject => ({ custom_labels: {}, ...fields });
const insights = (fields: object) => ({ node_ids: [], service_ids: [], ...fields });

const all = {
  node: [
    object({
      node_id: 'eu',
      node_name: 'db-1',
      node_type: 'generic',
      region: 'eu',
      updated_at: '2026-05-01T10:00:00Z',
    }),
    object({
      node_id: 'us',
      node_name: 'DB-2',
      node_type: 'generic',
      region: 'us',
      updated_at: '2026-05-01T11:00:00Z',
    }),
    object({ node_id: 'nowhere', node_name: 'web', node_type: 'remote', address: 'Web.example' }),
    // A custom label with the name of an attribute is not the attribute.
    object({ node_id: 'labelled', node_name: 'x', node_type: 'remote', custom_labels: { region: 'eu' } }),
  ],
  service: [
    object({ service_id: 'orders', cluster: 'pxc', group: 'g', version: '8.0', node_ids: ['eu'], port: 3306 }),
    object({ service_id: 'both', cluster: 'pxc', node_ids: ['eu', 'us'] }),
    object({ service_id: 'homeless', node_ids: [] }),
    object({ service_id: 'unplaced', group: '', version: '', node_ids: ['nowhere'] }),
  ],
  agent: [
    object({ agent_id: 'on-eu', runs_on_node_id: 'eu', insights: insights({ service_ids: ['orders'] }) }),
    object({ agent_id: 'of-us', insights: insights({ node_ids: ['us'] }), disabled: true }),
    object({ agent_id: 'of-homeless', insights: insights({ service_ids: ['homeless'] }), listen_port: 42 }),
    object({ agent_id: 'alone' }),
  ],
} satisfies Record<ObjectKind, PlainObject[]>;

const relations = {
  objectOf: (id: string) =>
    [...all.node, ...all.service].find((object) => object['node_id'] === id || object['service_id'] === id),
  nodesOf: (cluster: string) => new Set(cluster === 'pxc' ? ['eu', 'us'] : []),
};

/** The ids of the objects that pass. */
function matching(kind: ObjectKind, filters: IndexFilters): unknown[] {
  const test = testOf(kind, filters, relations)!;
  return all[kind].filter((object) => test(indexed({ kind, object }))).map((object) => object[`${kind}_id`]);
}

test.each<[ObjectKind, IndexFilters, string[]]>([
  ['node', { region: 'eu' }, ['eu']],
  ['node', { name_prefix: 'db' }, ['eu']],
  ['node', { name_prefix: 'b-' }, []],
  ['node', { name_contains: 'DB' }, ['eu', 'us']],
  ['node', { address_contains: 'web.' }, ['nowhere']],
  ['node', { cluster: 'pxc' }, ['eu', 'us']],
  ['node', { cluster: 'other' }, []],
  ['node', { updated_since: '2026-05-01T11:00:00Z' }, ['us']],
  ['node', { selector: 'region in (eu,us)', name_contains: 'b-1' }, ['eu']],
  ['service', { cluster: 'pxc', region: 'us' }, ['both']],
  ['service', { region: 'eu' }, ['orders', 'both']],
  ['service', { node_id: 'us' }, ['both']],
  ['service', { port: '3306' }, ['orders']],
  ['service', { version: '8.0' }, ['orders']],
  ['agent', { region: 'eu' }, ['on-eu']],
  ['agent', { region: 'us' }, ['of-us']],
  ['agent', { cluster: 'pxc' }, ['on-eu']],
  ['agent', { service_id: 'homeless' }, ['of-homeless']],
  ['agent', { node_id: 'us' }, ['of-us']],
  ['agent', { disabled: 'true' }, ['of-us']],
  ['agent', { port: '42' }, ['of-homeless']],
])('%s with %j: %j', (kind, filters, ids) => expect(matching(kind, filters)).toEqual(ids));

test.each<[ObjectKind, string, string[]]>([
  ['node', 'region', ['nowhere', 'labelled']],
  ['service', 'cluster', ['homeless', 'unplaced']],
  ['service', 'group', ['both', 'homeless', 'unplaced']],
  ['service', 'version', ['both', 'homeless', 'unplaced']],
  ['service', 'region', ['homeless', 'unplaced']],
  ['agent', 'region', ['of-homeless', 'alone']],
  ['agent', 'cluster', ['of-us', 'of-homeless', 'alone']],
])('an empty %s filter %s selects the objects without a value', (kind, filter, ids) => {
  expect(matching(kind, { [filter]: '' })).toEqual(ids);
  expect(matching(kind, { [filter]: NO_VALUE })).toEqual(ids);
});

test('the index decides no filter by state, no unknown filter and no invalid value', () => {
  const undecidable: IndexFilters[] = [
    { state: 'live' },
    { colour: 'red' },
    { updated_since: 'soon' },
    { selector: 'a=' + '(' },
    { region: 'eu', state: 'live' },
  ];
  expect(undecidable.filter((filters) => canFilter('node', filters))).toEqual([]);
  expect(canFilter('node', { region: 'eu', state: undefined })).toBe(true);
});

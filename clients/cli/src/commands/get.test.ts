import { commandCall, pausingClock, type SentRequest } from '../../../../tests/support/command-call.ts';
import { run } from './get.ts';

const ID = '00000000-0000-4000-8000-00000000000';
const nodes = [1, 2].map((index) => ({ node_id: `${ID}${index}`, node_name: `db-${index}`, state: 'live' }));

const named = (path: string) => {
  const { searchParams } = new URL(path, 'http://a');
  const prefix = searchParams.get('name_prefix') ?? '';
  return nodes.filter((node) => node.node_name.startsWith(prefix));
};

async function get(args: string[], options: object = {}) {
  const call = commandCall({
    args,
    options: { output: 'name', ...options },
    answer: ({ path }: SentRequest) => {
      if (path.startsWith('/v1/clusters')) return { clusters: [{ cluster: 'pxc', services: 3, nodes: 3 }] };
      if (path.includes('/groups')) return { groups: [{ value: 'eu', count: 2, by_state: { live: 2 } }] };
      if (path.startsWith('/v1/services')) return { services: [] };
      return path.startsWith('/v1/nodes/')
        ? nodes.find(({ node_id: id }) => path.endsWith(id))
        : { nodes: named(path) };
    },
  });
  await run(call);
  const queries = call.sent.map(({ path }) => {
    const { pathname, searchParams } = new URL(path, 'http://a');
    return [pathname, Object.fromEntries(searchParams)];
  });
  return { out: call.out(), queries };
}

test('a list has the filters of the options; fields can be named without their kind', async () => {
  const { out, queries } = await get(['nodes'], {
    ...{ selector: 'team=a', filter: ['region=eu', 'type=generic'], prefix: 'db', state: 'live', limit: '1' },
  });
  expect(queries).toEqual([
    [
      '/v1/nodes',
      {
        ...{ region: 'eu', node_type: 'generic', selector: 'team=a', name_prefix: 'db', state: 'live' },
        ...{ include: 'state', page_size: '1' },
      },
    ],
  ]);
  expect(out).toBe('node/db-1\n');
});

test('the state is read where a column shows it', async () => {
  const include = async (options: object) => (await get(['nodes'], options)).queries[0]?.[1];
  expect(await include({ output: 'table' })).toMatchObject({ include: 'state' });
  expect(await include({ output: 'table', columns: 'name' })).toEqual({ page_size: '1000' });
  expect((await get(['clusters'], { output: 'csv', columns: 'cluster' })).queries).toEqual([
    ['/v1/clusters', { page_size: '1000' }],
  ]);
});

test('a filter by another object takes its name', async () => {
  const { queries } = await get(['services'], { filter: ['node_id=db-2'] });
  expect(queries.at(-1)).toEqual(['/v1/services', expect.objectContaining({ node_id: `${ID}2` })]);
});

test.each([
  [['node', 'db-1', 'db-2'], 'node/db-1\nnode/db-2\n'],
  [['node/db-2', 'node/db-1'], 'node/db-2\nnode/db-1\n'],
  [['nodes', 'db-1'], 'node/db-1\n'],
])('%j are objects by name, in this order', async (args, out) => {
  expect((await get(args)).out).toBe(out);
});

test.each([
  ['json', ['node/db-1'], nodes[0]],
  ['json', ['node/db-1', 'node/db-2'], nodes],
  ['jsonl', ['node/db-1'], nodes[0]],
  ['json', ['nodes'], nodes],
])('as %s, %j is an object or a list', async (output, args, value) => {
  expect(JSON.parse((await get(args, { output })).out)).toEqual(value);
});

test('one object as YAML is no list', async () => {
  expect((await get(['node/db-1'], { output: 'yaml' })).out).toMatch(/^node_id: /);
});

test('groups are counted by a property, or by a label', async () => {
  const { out, queries } = await get(['nodes'], { groupBy: 'region', output: 'csv', filter: ['az=a'] });
  expect(out).toBe('value,count,live,stale,offline,never_seen\neu,2,2,,,\n');
  expect(queries).toEqual([[expect.any(String), { az: 'a', kind: 'node', group_by: 'region' }]]);
  const [[, query] = []] = (await get(['nodes'], { groupBy: 'label.team' })).queries;
  expect(query).toMatchObject({ group_by: 'labels.team' });
});

test.each([
  [['nodes'], { filter: ['region'] }, '--filter is no field=value: region'],
  [['clusters'], { filter: ['x=1'] }, 'clusters have no filter x. There are: name_prefix.'],
  [['clusters'], { groupBy: 'region' }, '--group-by counts nodes, services or agents.'],
  ...[{ watch: true }, { limit: '1' }].map((more) => [
    ['nodes'],
    { groupBy: 'region', ...more },
    '--group-by counts all objects that the filters select: no names, --limit or --watch.',
  ]),
  [
    ['nodes', 'db-1'],
    { groupBy: 'region' },
    '--group-by counts all objects that the filters select: no names, --limit or --watch.',
  ],
  [['node/db-1', 'service/orders'], {}, 'Give objects of one kind: node/db-1 and service/orders are two.'],
  [['hosts'], {}, 'No such kind: hosts. There are: nodes, services, agents, clusters.'],
  [['nodes'], { asOf: '2h' }, '--as-of shows objects by name or id.'],
  [['clusters', 'pxc'], {}, 'clusters cannot be selected by name: use --prefix.'],
  [['node', 'db-1'], { limit: '1' }, 'Give names or filters, not both.'],
  [['node', 'db-1'], { prefix: 'db' }, 'Give names or filters, not both.'],
] as [string[], object, string][])('%j with %j is refused before a request', async (args, options, message) => {
  const call = commandCall({ args, options: { ...options } });
  await expect(run(call)).rejects.toMatchObject({ message, exit: 'usage' });
  expect(call.sent).toEqual([]);
});

test('--watch then shows changed objects that are selected, without repeated headers', async () => {
  const controller = new AbortController();
  const pages = [
    { changes: [{ id: `${ID}2` }, { id: `${ID}2` }], next: 'c2', more: true },
    { changes: [{ id: 'absent' }], next: 'c3', more: true },
  ];
  const call = commandCall({
    args: ['nodes'],
    options: { watch: true, selector: 'team=a', output: 'csv', columns: 'name' },
    world: { signal: controller.signal },
    answer: ({ path }) => {
      const selector = new URL(path, 'http://a').searchParams.get('selector');
      if (path.startsWith('/v1/nodes'))
        return { nodes: selector === 'team=a' ? nodes : nodes.filter(({ node_id: id }) => selector?.includes(id)) };
      if (path.includes('since') && pages.length === 0) controller.abort(new Error('stop'));
      return (path.includes('since') ? pages.shift() : undefined) ?? { changes: [], next: 'c1', more: false };
    },
  });
  await expect(run(call)).rejects.toBeDefined();
  expect(call.out()).toBe('node_name\ndb-1\ndb-2\ndb-2\n');
  const selectors = call.sent
    .filter(({ path }) => path.startsWith('/v1/nodes'))
    .map(({ path }) => new URL(path, 'http://a').searchParams.get('selector'));
  expect(selectors).toEqual(['team=a', `team=a,node_id in (${ID}2)`, 'team=a,node_id in (absent)']);
});

test('--watch waits a minute for changes, and asks for at most 40 changed objects at once', async () => {
  const controller = new AbortController();
  const ids = Array.from({ length: 80 }, (_, index) => `n${index}`);
  const pages = [{ changes: ids.map((id) => ({ id })), next: 'c2', more: true }];
  const call = commandCall({
    args: ['nodes'],
    options: { watch: true, output: 'json' },
    world: { signal: controller.signal },
    answer: ({ path }) => {
      if (path.startsWith('/v1/nodes')) return { nodes: [] };
      if (path.includes('since') && pages.length === 0) controller.abort(new Error('stop'));
      return (path.includes('since') ? pages.shift() : undefined) ?? { changes: [], next: 'c1', more: false };
    },
  });
  await expect(run(call)).rejects.toBeDefined();
  // Changes of objects that are not selected print nothing.
  expect(call.out()).toBe('[]\n');
  const selectors = call.sent.flatMap(({ path }) => new URL(path, 'http://a').searchParams.get('selector') ?? []);
  expect(selectors).toEqual([0, 40].map((start) => `node_id in (${ids.slice(start, start + 40).join()})`));
});

test('--as-of shows named objects as they were', async () => {
  const call = commandCall({
    args: ['node', 'db-1', 'db-2'],
    options: { output: 'name', asOf: '2h' },
    world: { clock: { ...pausingClock(), now: () => Date.parse('2026-05-01T10:00:00Z') } },
    answer: ({ path }) =>
      path.startsWith('/v1/as-of')
        ? { presence: 'present', object: { node_name: path.includes(`${ID}1`) ? 'former-1' : 'former-2' } }
        : { nodes: named(path) },
  });
  await run(call);
  expect(call.out()).toBe('node/former-1\nnode/former-2\n');
  const times = call.sent.flatMap(({ path }) => new URL(path, 'http://a').searchParams.get('time') ?? []);
  expect(times).toEqual(['2026-05-01T08:00:00.000Z', '2026-05-01T08:00:00.000Z']);
});

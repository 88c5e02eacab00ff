import type { Item } from '../../shared/db/table.ts';
import { addAgent, addHost, addNode, addService } from '../support/add.ts';
import { type Inventory, startInventory } from '../support/inventory.ts';
import { checkInvariants, inventoryItems, scan, violationsIn } from './invariants.ts';
import { testTime } from '../support/test-time.ts';

describe('the check of the invariants', () => {
  let inventory: Inventory;
  let items: Item[];

  /** One of everything: each kind of claim, label index entry, edge and counter, and API keys with and without an end. */
  beforeAll(async () => {
    inventory = await startInventory();
    const { nodeId, pmmAgentId } = await addHost(inventory);
    // Of names that would shadow an attribute, of a length that is hashed, and more than have their own index entry.
    const custom_labels = { team: 'dba', empty: '', hash: '#', region: 'shadowed', long: 'x'.repeat(1024) };
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`l${index}`, 'x']));
    const rds = await addNode(inventory, { node_type: 'remote_rds', region: 'eu#1', address: 'db-1', custom_labels });
    await addNode(inventory, { node_type: 'container', container_id: 'c', container_name: 'n', custom_labels: many });
    const cluster = { cluster: 'c', environment: 'e' };
    const mysql = await addService(inventory, { node_ids: [nodeId, rds.node_id], ...cluster, custom_labels });
    await addService(inventory, { service_type: 'external', address: undefined, port: undefined, node_ids: [nodeId] });
    await addAgent(inventory, { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId, custom_labels: many });
    const insights = { service_ids: [mysql.service_id] };
    await addAgent(inventory, { agent_type: 'mysqld_exporter', pmm_agent_id: pmmAgentId, insights });
    await addAgent(inventory, {
      agent_type: 'external_exporter',
      listen_port: 1,
      runs_on_node_id: rds.node_id,
      insights: { ...insights, node_ids: [nodeId] },
    });
    // Registered by its key, and by both of its keys; and an add that is kept for a day.
    await inventory.request('PUT', '/v1/agents/by-key', {
      body: { agent_type: 'mysqld_exporter', pmm_agent_id: pmmAgentId, insights },
    });
    await inventory.request('PUT', '/v1/agents/by-key', {
      body: { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId, custom_labels: many },
    });
    await inventory.request('POST', '/v1/nodes', {
      body: { node_type: 'generic', node_name: 'once', address: 'a' },
      headers: { 'Idempotency-Key': 'once' },
    });
    await inventory.request('POST', `/v1/agents/${pmmAgentId}/report`, { body: { agents: [] } });
    const gone = await addHost(inventory);
    await inventory.request('DELETE', `/v1/nodes/${gone.nodeId}?force=true`);
    const body = { name: 'short-lived', role: 'Admin', time_to_live: '1d' };
    await inventory.request('POST', '/v1/api-keys', { body });
    await inventory.request('POST', '/graph/api/serviceaccounts', { body: { name: 'of PMM', role: 'Editor' } });
    await inventory.request('POST', '/v1/sessions', {
      headers: { Authorization: `Basic ${Buffer.from('admin:correct horse battery staple').toString('base64')}` },
      body: {},
    });
    items = await scan(inventory.table);
  });
  afterAll(() => inventory.stop());

  const changed = (changedItem: Item, change: Item | undefined) =>
    items.flatMap((item) => (item !== changedItem ? [item] : change === undefined ? [] : [change]));
  // What nothing else speaks of: users, secrets, past requests, counts of additions, released names.
  const isAlone = (item: Item) =>
    /^(ACCOUNT|SECRET|IDEMPOTENCY|ADDITIONS)#/.test(String(item['pk'])) || 'released_at' in item;
  const keyOf = ({ pk, sk }: Item) => `${String(pk)} ${String(sk)}`;

  test('accepts a sound inventory and an empty one', async () => {
    const read = (path: string) => inventory.request('GET', path);
    expect(await checkInvariants(inventory.table, { read })).toEqual([]);
    expect(violationsIn([])).toEqual([]);
    expect(inventoryItems(items).length).toBeGreaterThan(30);
  });

  test('notices every missing item', () => {
    const unnoticed = items.filter((item) => !isAlone(item) && violationsIn(changed(item, undefined)).length === 0);
    expect(unnoticed.map(keyOf)).toEqual([]);
  });

  test('notices a changed label without its index entry, and an index entry without its label', () => {
    const labelledObjects = items.filter((item) => Object.keys(item['custom_labels'] ?? {}).length > 0);
    expect(labelledObjects.length).toBeGreaterThan(3);
    for (const item of labelledObjects) {
      const labels = item['custom_labels'] as Record<string, string>;
      // The first labels by name have an index entry, however many labels exist.
      const [first = ''] = Object.keys(labels)
        .filter((label) => label !== 'region')
        .sort();
      const { [first]: _gone, ...rest } = labels;
      for (const custom_labels of [{ ...labels, [first]: 'other' }, rest, { ...labels, aaa: 'new' }])
        expect(violationsIn(changed(item, { ...item, custom_labels }))).not.toEqual([]);
    }
  });

  test('notices every item without an owner', () => {
    const strays = inventoryItems(items).map((item) => ({ ...item, pk: `${String(item['pk'])}x` }));
    const more = [
      { pk: 'SOMETHING#1', sk: 'ELSE' },
      { pk: 'API_KEYS', sk: 'KEY#x' },
      { pk: 'KEY_ID#1', sk: 'KEY_ID' },
      { pk: 'SUMMARY', sk: 'OTHER' },
      {
        pk: 'API_KEYS',
        sk: 'SERVICE_ACCOUNT#7',
        id: 7,
        name: 'x',
        role: 'Admin',
        created_at: testTime().toISOString(),
      },
    ];
    const unnoticed = [...strays, ...more].filter((stray) => violationsIn([...items, stray]).length === 0);
    expect(unnoticed.map(keyOf)).toEqual([]);
  });

  test('notices every wrong counter, owner, type, reference, index attribute and key', () => {
    // What an object says of itself alone cannot be wrong; the node of a key may be gone.
    const selfDescribing =
      /^(custom_labels|address|port|distro|listen_port|scheme|metrics_path|disabled|status|connected|push_metrics|tls.*|disable_.*|expose_.*|tablestats_.*|created_.*|updated_at|revision|(former_)?last_used_(at|from)|prefix|password_hash|value|ttl|node_id|at|added_at|actor_.*|request_id)$/;
    const other = (value: unknown): unknown => {
      if (typeof value === 'number') return value + 1;
      if (typeof value === 'boolean') return !value;
      if (Array.isArray(value)) return [...value, 'x'];
      if (typeof value === 'object' && value !== null) return { node_ids: ['x'], service_ids: [] };
      return `${String(value)}x`;
    };
    const unnoticed = items
      .filter((item) => !isAlone(item))
      .flatMap((item) =>
        Object.entries(item)
          .filter(([name]) => !selfDescribing.test(name))
          .filter(([name, value]) => violationsIn(changed(item, { ...item, [name]: other(value) })).length === 0)
          .map(([name]) => `${keyOf(item)} ${name}`),
      );
    expect(unnoticed).toEqual([]);
  });

  test('notices a stored request that is malformed, or does not end a day after its add', () => {
    const done = items.find(({ pk }) => String(pk).startsWith('IDEMPOTENCY#'))!;
    for (const change of [
      { ttl: Number(done['ttl']) + 1 },
      { ttl: undefined },
      { request_hash: 'x' },
      { sk: 'x' },
      { object: '{}' },
      { key: 'in clear' },
    ])
      expect([change, violationsIn(changed(done, { ...done, ...change })).length > 0]).toEqual([change, true]);
  });

  test('notices a closed object without a removal, one that does not show it, and a removal of nothing', () => {
    const node = items.find(({ sk }) => sk === 'NODE')!;
    const begun = { pk: 'FORCED_REMOVALS', sk: node['pk'] };
    const isOf = (sk: string) => (item: Item) => item['pk'] === node['pk'] && item['sk'] === sk;
    const closing = (...sorts: string[]) =>
      items.map((item) => (sorts.some((sk) => isOf(sk)(item)) ? { ...item, removing: true } : item));
    const closed = closing('NODE', 'GUARD');
    const inProgress = { inProgress: true };
    expect(violationsIn([...closed, begun], inProgress)).toEqual([]);
    expect(violationsIn([...closed, begun])).not.toEqual([]);
    expect(violationsIn(closed, inProgress)).toEqual([expect.stringContaining('closed without a removal')]);
    for (const kindOfMark of ['NODE', 'GUARD'])
      expect(violationsIn([...closing(kindOfMark), begun], inProgress).join()).toContain(
        'differ in whether a removal has begun',
      );
    expect(violationsIn([...items, begun], inProgress)).toEqual([expect.stringContaining('no removal has closed')]);
  });

  test('notices an item without its time to live, with a wrong one, and in a wrong index', () => {
    const change = items.find(({ pk }) => String(pk).startsWith('CHANGE#'))!;
    const { ttl: _, ...endless } = change;
    expect(violationsIn(changed(change, endless)).join()).toContain('should always end');
    const summary = { pk: 'SUMMARY', sk: 'SUMMARY' };
    expect(violationsIn([...items, summary])).toEqual([]);
    expect(violationsIn([...items, { ...summary, ttl: 1 }]).join()).toContain('should never end');
    expect(violationsIn([...items, { ...summary, list_pk: 'NODES' }]).join()).toContain(
      'is in by_name instead of none',
    );
  });

  test('notices a state history that is unordered, too long, or later than the report', () => {
    const heartbeat = items.find((item) => Object.values(item).some((value) => (value as any)?.history !== undefined))!;
    const [name, report] = Object.entries(heartbeat).find(([, value]) => (value as any)?.history !== undefined)!;
    const { at } = report as { at: number };
    const violationCount = (history: unknown) =>
      violationsIn(changed(heartbeat, { ...heartbeat, [name]: { at, agents: {}, history } })).length;
    const times = (count: number) => Array.from({ length: count }, (_, index) => [at - 9000 + index * 100, 50, 20]);
    expect([[], [at - 9000, 1], [at - 9050, 0, ...times(16).flat()]].map(violationCount)).toEqual([0, 0, 0]);
    for (const history of [
      ...['', [at + 1, 1], [at - 9000, 2], [at - 9000, 0, ...times(1).flat()], [at - 9050, 0, ...times(17).flat()]],
      ...[
        [at - 9050, 0, ...times(2).reverse().flat()],
        [0, 1, at, 10, 20],
        [0, 1, at, 0, 0],
        [0, 1, at, 10],
      ],
    ])
      expect([history, violationCount(history)]).toEqual([history, 1]);
  });

  test('notices an impossible revision', () => {
    const node = items.find(({ sk }) => sk === 'NODE')!;
    expect(violationsIn(changed(node, { ...node, revision: 0 }))[0]).toContain('revision 0');
  });

  test('notices two owners of one name', () => {
    const [first, two] = items.filter(({ sk }) => sk === 'NODE');
    const renamed = { ...two, node_name: first!['node_name'], list_sk: first!['node_name'] };
    expect(violationsIn(changed(two!, renamed)).join()).toContain('would have to stand for two');
  });

  test('notices a list that omits something or has another order', async () => {
    const read = async (path: string) => {
      const reply = await inventory.request('GET', path);
      return { status: reply.status, body: { ...reply.body, nodes: reply.body.nodes?.toReversed() } };
    };
    expect((await checkInvariants(inventory.table, { read })).join()).toContain('/v1/nodes with {} lists');
  });
});

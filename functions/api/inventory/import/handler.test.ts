import { inFull } from '../../../../shared/testing/extent.ts';
import { randomUUID } from 'node:crypto';
import { checkInvariants, scan, wipe } from '../../../../tests/consistency/invariants.ts';
import { addAgent, addHost, addNode, addService, unseen } from '../../../../tests/support/add.ts';
import { MAX_REVISION } from '../../../../shared/core/revision.ts';
import { testTime } from '../../../../tests/support/test-time.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();
afterEach(async () => {
  expect(await checkInvariants(inventory.table)).toEqual([]);
  await wipe(inventory.table);
});

const ndjson = { 'Content-Type': 'application/x-ndjson' };
const send = (body: string, query = '') =>
  inventory.request('POST', `/v1/import${query}`, { body, headers: ndjson, as: 'Admin' });
const textOf = (lines: readonly unknown[]) => lines.map((line) => JSON.stringify(line)).join('\n');
const take = (...lines: unknown[]) => send(textOf(lines));
const rehearse = (...lines: unknown[]) => send(textOf(lines), '?dry_run=true');
const outcomes = (reply: any): string[] => reply.body.results.map(({ outcome }: any) => outcome);
const get = async (path: string) => (await inventory.request('GET', path)).body;
const exported = async () => (await inventory.request('GET', '/v1/export?page_size=1000')).text;

const node = (more: object = {}) => ({
  kind: 'node',
  object: { node_id: randomUUID(), node_type: 'generic', node_name: randomUUID(), address: 'a', ...more },
});
const service = (more: object = {}) => ({
  kind: 'service',
  object: {
    service_id: randomUUID(),
    service_type: 'mysql',
    service_name: randomUUID(),
    address: 'a',
    port: 1,
    ...more,
  },
});
const agent = (more: object) => ({ kind: 'agent', object: { agent_id: randomUUID(), ...more } });
const record = { created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-02T00:00:00.000Z', revision: 7 };

/** An inventory with all kinds of objects and some history. */
async function someInventory(): Promise<void> {
  const { nodeId, pmmAgentId } = await addHost(inventory);
  const rds = await addNode(inventory, { node_type: 'remote_rds', address: 'db1', region: 'eu' });
  await inventory.request('PATCH', `/v1/nodes/${nodeId}`, { body: { custom_labels: { b: '1', a: '2' } } });
  const { service_id: id } = await addService(inventory, { node_ids: [nodeId, rds.node_id], cluster: 'c' });
  await addService(inventory, { service_type: 'external', address: undefined, port: undefined });
  await addAgent(inventory, { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId });
  const exporter = await addAgent(inventory, {
    agent_type: 'mysqld_exporter',
    pmm_agent_id: pmmAgentId,
    insights: { service_ids: [id] },
    metrics_resolutions: { lr: '60s', hr: '5s' },
  });
  await inventory.request('PATCH', `/v1/agents/${exporter.agent_id}`, { body: { disabled: true } });
  const watcher = await addAgent(inventory, { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId });
  await inventory.request('PATCH', `/v1/agents/${watcher.agent_id}`, { body: { insights: { node_ids: [] } } });
  await addAgent(inventory, { agent_type: 'external_exporter', listen_port: 1, insights: { node_ids: [rds.node_id] } });
}

test('importing an export into an empty inventory exports to the same bytes', async () => {
  await someInventory();
  const before = await exported();
  const items = await scan(inventory.table);
  await wipe(inventory.table);
  expect(await exported()).toBe('{"kind":"end","complete":true}\n');

  const rehearsed = await send(before, '?dry_run=true');
  const reply = await send(before);
  expect(new Set(outcomes(reply))).toEqual(new Set(['added']));
  expect({ ...rehearsed.body, dry_run: false }).toEqual(reply.body);
  expect(await exported()).toBe(before);
  // Including the derived items: claims, edges, dependents counters.
  const keyOf = (item: any) => `${item.pk} ${item.sk}`;
  const withoutUse = (all: any[]) =>
    all
      .filter(({ pk }) => !pk.startsWith('CHANGE#'))
      .map(({ last_used_at: _, last_change: __, at: ___, added_at: ____, ...item }) => item)
      .sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
  expect(withoutUse(await scan(inventory.table))).toEqual(withoutUse(items));

  expect(new Set(outcomes(await send(before, '?dry_run=true')))).toEqual(new Set(['unchanged']));
  const again = await send(before);
  expect(new Set(outcomes(again))).toEqual(new Set(['unchanged']));
  expect(await exported()).toBe(before);
});

test('an object without times gets new ones; an object with all of them keeps them', async () => {
  const [fresh, old] = [node(), node(record)];
  expect(outcomes(await take(fresh, old))).toEqual(['added', 'added']);
  expect(await get(`/v1/nodes/${fresh.object.node_id}`)).toMatchObject({ ...fresh.object, revision: 1 });
  expect(await get(`/v1/nodes/${old.object.node_id}`)).toEqual(unseen({ ...old.object, custom_labels: {}, ...record }));
});

test('a differing object is changed: its record and state stay, and its revision increases', async () => {
  const { nodeId, pmmAgentId } = await addHost(inventory);
  const added = await addAgent(inventory, { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId, log_level: 'info' });
  const { state, ...there } = await get(`/v1/nodes/${nodeId}`);
  const { log_level: _, ...object } = { ...added, status: 'running', listen_port: 9, ...record };
  const reply = await take({ kind: 'node', object: { ...there, address: 'b', ...record } }, { kind: 'agent', object });
  expect(outcomes(reply)).toEqual(['changed', 'changed']);
  const after = await get(`/v1/nodes/${nodeId}`);
  expect(after).toEqual({ ...there, state, address: 'b', revision: 2, updated_at: after.updated_at });
  const agentAfter = await get(`/v1/agents/${added.agent_id}`);
  const { log_level: __, ...without } = added;
  expect(agentAfter).toEqual({ ...unseen(without), listen_port: 9, revision: 2, updated_at: agentAfter.updated_at });
  // A record alone is no difference.
  expect(outcomes(await take({ kind: 'node', object: { ...after, ...record } }))).toEqual(['unchanged']);
});

test('invalid lines are refused one by one, and a dry run refuses the same lines', async () => {
  const { nodeId, pmmAgentId } = await addHost(inventory);
  const other = await addNode(inventory);
  const taken = await addNode(inventory, { region: 'eu', address: 'here', container_id: 'c', node_type: 'container' });
  const mongo = await addService(inventory, { service_type: 'mongodb' });
  const lines = [
    node({ node_name: taken.node_name }),
    node({ region: 'eu', address: 'here' }),
    node({ node_id: nodeId, node_name: 'another name' }),
    node({ node_id: other.node_id, node_name: other.node_name, node_type: 'remote' }),
    service({ node_ids: [randomUUID()] }),
    agent({ agent_type: 'mysqld_exporter', pmm_agent_id: pmmAgentId, insights: { service_ids: [mongo.service_id] } }),
    agent({ agent_type: 'node_exporter', pmm_agent_id: pmmAgentId, runs_on_node_id: other.node_id }),
    agent({ agent_type: 'node_exporter', pmm_agent_id: randomUUID() }),
    agent({ agent_id: pmmAgentId, agent_type: 'pmm_agent', runs_on_node_id: other.node_id }),
    node(),
  ];
  const rehearsed = await rehearse(...lines);
  const reply = await take(...lines);
  expect(outcomes(reply)).toEqual([...Array.from({ length: 9 }, () => 'refused'), 'added']);
  const codes = reply.body.results.map(({ error }: any) => error?.code);
  expect(codes).toEqual([6, 6, 9, 9, 5, 9, 9, 5, 9, undefined]);
  const said = ({ body }: any) => body.results.map(({ error, outcome }: any) => [outcome, error?.message]);
  expect(said(rehearsed)).toEqual(said(reply));
  expect(rehearsed.body.results.map(({ missing = [] }: any) => missing.length)).toEqual([0, 0, 0, 0, 1, 0, 0, 1, 0, 0]);
});

test('a dry run writes nothing and counts the effects of earlier lines', async () => {
  const before = await scan(inventory.table);
  const host = node({ region: 'eu', address: 'x' });
  const process = agent({ agent_type: 'pmm_agent', runs_on_node_id: host.object.node_id });
  const db = service({ node_ids: [host.object.node_id] });
  const lines = [
    host,
    db,
    process,
    agent({
      agent_type: 'mysqld_exporter',
      pmm_agent_id: (process.object as any).agent_id,
      insights: { service_ids: [db.object.service_id] },
    }),
    node({ region: 'eu', address: 'x' }),
    service({ service_name: db.object.service_name }),
  ];
  const rehearsed = await rehearse(...lines);
  expect(outcomes(rehearsed)).toEqual(['added', 'added', 'added', 'added', 'refused', 'refused']);
  expect((await scan(inventory.table)).length).toBe(before.length);
  expect(outcomes(await take(...lines))).toEqual(outcomes(rehearsed));
});

describe('a malformed line refuses the whole import', () => {
  const cases: [string, string, object][] = [
    ['no JSON', '{"kind":', { field: '1', reason: 'malformed_json' }],
    [
      'two values in a line',
      '{"kind":"end","complete":true},{"kind":"end","complete":true}',
      { field: '1', reason: 'malformed_json' },
    ],
    ['an unknown kind', '{"kind":"cluster"}', { field: '1.kind', reason: 'invalid_value' }],
    ['an id that is no UUID', textOf([node({ node_id: 'pmm-server' })]), { field: '1.object.node_id' }],
    ['an id in upper case', textOf([node({ node_id: randomUUID().toUpperCase() })]), { field: '1.object.node_id' }],
    ['an unknown field', textOf([node({ colour: 'x' })]), { field: '1.object.colour', reason: 'unknown_field' }],
    ['a credential', textOf([service({ password: 'x' })]), { field: '1.object.password', reason: 'credential' }],
    [
      'a revision that no object can have',
      textOf([node({ ...record, revision: MAX_REVISION + 1 })]),
      { field: '1.object.revision' },
    ],
    [
      'times in the future',
      textOf([node({ ...record, updated_at: testTime(600_000).toISOString() })]),
      { field: '1.object.updated_at', reason: 'out_of_range' },
    ],
    ['half a record', textOf([node({ revision: 2 })]), { field: '1.object.created_at', reason: 'required' }],
    ['times that cannot be', textOf([node({ ...record, revision: 1 })]), { field: '1.object.updated_at' }],
    ['what an add would refuse', textOf([service({ socket: '/s' })]), { field: '1.object.socket' }],
  ];
  test.each(cases)('%s', async (_, line, violation) => {
    const before = await scan(inventory.table);
    const reply = await send(`${textOf([node()])}\n\n${line}`);
    expect([reply.status, reply.body.code]).toEqual([400, 3]);
    expect(reply.body.details).toContainEqual(expect.objectContaining(violation));
    expect((await scan(inventory.table)).length).toBe(before.length);
  });

  test('an id twice', async () => {
    const { object } = node();
    const reply = await take({ kind: 'node', object }, { kind: 'node', object });
    expect(reply.body.details).toEqual([expect.objectContaining({ field: '1.object.node_id', reason: 'duplicate' })]);
  });

  test('more lines than the limit', async () => {
    const end = { kind: 'end', complete: true };
    expect((await take(...Array.from({ length: 1002 }, () => end))).status).toBe(400);
    expect((await take(...Array.from({ length: 1001 }, () => end))).status).toBe(200);
    const reply = await take(...Array.from({ length: 1001 }, () => node()));
    expect(reply).toMatchObject({ status: 400, body: { details: [{ reason: 'too_many' }] } });
  });
});

test('of two simultaneous imports of the same lines one adds, and the other finds the object unchanged', async () => {
  const lines = Array.from({ length: 40 }, () => node({ region: 'eu', address: randomUUID() }));
  const replies = await Promise.all([take(...lines), take(...lines)]);
  const both = lines.map((_, index) => replies.map((reply) => outcomes(reply)[index]).sort());
  expect(both).toEqual(lines.map(() => ['added', 'unchanged']));
});

test.each([2 ** 40, MAX_REVISION - 1])(
  'an object that was imported with revision %d is imported again after a change',
  async (revision) => {
    const imported = node({ ...record, revision });
    expect(outcomes(await take(imported))).toEqual(['added']);
    const path = `/v1/nodes/${imported.object.node_id}`;
    const { body } = await inventory.request('PATCH', path, { body: { address: 'b' } });
    expect(body.revision).toBe(revision + 1);
    const text = await exported();
    await inventory.request('DELETE', path);
    const line = text.split('\n').find((other) => other.includes(imported.object.node_id))!;
    expect(outcomes(await send(line))).toEqual(['added']);
    expect((await inventory.request('GET', path)).body.revision).toBe(revision + 1);
  },
);

test('an object with the highest revision cannot be changed, but removed', async () => {
  const line = node({ ...record, revision: MAX_REVISION });
  expect(outcomes(await take(line))).toEqual(['added']);
  const path = `/v1/nodes/${line.object.node_id}`;
  const change = await inventory.request('PATCH', path, { body: { address: 'b' } });
  expect(change).toMatchObject({ status: 400, body: { message: expect.stringContaining('highest revision') } });
  expect((await inventory.request('DELETE', path, { headers: { 'If-Match': `"${MAX_REVISION}"` } })).status).toBe(204);
});

test('the time of a change is never before that of the last one', async () => {
  const ahead = testTime(240_000).toISOString();
  const line = node({ created_at: record.created_at, updated_at: ahead, revision: 7 });
  expect(outcomes(await take(line))).toEqual(['added']);
  const path = `/v1/nodes/${line.object.node_id}`;
  const change = (address: string) => inventory.request('PATCH', path, { body: { address } });
  expect((await change('b')).body).toMatchObject({ revision: 8, updated_at: ahead });

  const { node_id: id } = await addNode(inventory);
  inventory.clock.now = testTime(-3_600_000);
  const { body } = await inventory.request('PATCH', `/v1/nodes/${id}`, { body: { address: 'b' } });
  expect(body.updated_at).toBe(body.created_at);
  const other = JSON.stringify({ kind: 'node', object: body });
  await inventory.request('DELETE', `/v1/nodes/${id}`);
  inventory.clock.now = undefined;
  expect(outcomes(await send(other))).toEqual(['added']);
});

const HOSTS = inFull(250, 60);

test(`${HOSTS * 4} objects are imported, and the next request imports what one has no time for`, async () => {
  const lines = Array.from({ length: HOSTS }, () => {
    const host = node();
    const process = agent({ agent_type: 'pmm_agent', runs_on_node_id: host.object.node_id });
    const db = service({ node_ids: [host.object.node_id] });
    const id = (process.object as any).agent_id;
    return [
      host,
      db,
      process,
      agent({ agent_type: 'mysqld_exporter', pmm_agent_id: id, insights: { service_ids: [db.object.service_id] } }),
    ];
  }).flat();
  let left = lines;
  while (left.length > 0) {
    const reply = await take(...left);
    expect(reply.body).toMatchObject({ refused: 0, changed: 0 });
    const before = left.length;
    left = left.filter((_, index) => outcomes(reply)[index] === 'not_done');
    expect(left.length).toBeLessThan(before);
  }
});

test('an Editor may not import', async () => {
  const reply = await inventory.request('POST', '/v1/import', {
    body: textOf([node()]),
    headers: ndjson,
    as: 'Editor',
  });
  expect(reply.status).toBe(403);
});

import { randomUUID } from 'node:crypto';
import { scan } from '../../../../tests/consistency/invariants.ts';
import { addAgent, addHost, addNode, addService, unseen } from '../../../../tests/support/add.ts';
import { ADMIN_PASSWORD, startInventory } from '../../../../tests/support/inventory.ts';
import { testTime } from '../../../../tests/support/test-time.ts';
import { LAST_BEGIN_MS } from '../../../domain/bulk/limits.ts';
import { withSend } from '../../../../tests/support/table.ts';
import { useCheckedInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useCheckedInventory();

const send = (body: object, as: 'Editor' | 'Viewer' | 'Admin' = 'Editor') =>
  inventory.request('POST', '/v1/reconcile', { body, as });
const get = async (path: string) => (await inventory.request('GET', path, { as: 'Editor' })).body;

/** A separate scope for each test, with desired objects. */
function team() {
  const name = `t${randomUUID().slice(0, 8)}`;
  const custom_labels = { team: name };
  const node = (number: number, more: object = {}) => ({
    node_type: 'generic',
    node_name: `${name}-n${number}`,
    address: `10.0.0.${number}`,
    custom_labels,
    ...more,
  });
  const service = (number: number, more: object = {}) => ({
    service_type: 'mysql',
    service_name: `${name}-s${number}`,
    node_names: [`${name}-n${number}`],
    address: 'a',
    port: 3306,
    custom_labels,
    ...more,
  });
  const process = (number: number) => ({ agent_type: 'pmm_agent', runs_on_node_name: `${name}-n${number}` });
  const exporter = (number: number, more: object = {}) => ({
    agent_type: 'mysqld_exporter',
    runs_on_node_name: `${name}-n${number}`,
    insights: { service_names: [`${name}-s${number}`] },
    ...more,
  });
  const instance = (number: number) => ({
    nodes: [node(number)],
    services: [service(number)],
    agents: [process(number), exporter(number)],
  });
  const instances = (...numbers: number[]) => ({
    nodes: numbers.map((number) => node(number)),
    services: numbers.map((number) => service(number)),
    agents: numbers.flatMap((number) => [process(number), exporter(number)]),
  });
  const scope = { selector: `team=${name}` };
  const plan = async (desired: object, more: object = {}) => (await send({ scope, desired, ...more })).body;
  const apply = (desired: object, more: object = {}) => send({ scope, desired, mode: 'apply', ...more });
  return { name, scope, custom_labels, node, service, process, exporter, instance, instances, plan, apply };
}

const short = (items: any[]) =>
  items.map(
    ({ action, kind, node_name, service_name, agent_type, runs_on_node_name: on }) =>
      `${action} ${kind} ${node_name ?? service_name ?? `${agent_type} ${on}`}`,
  );

const count = async () => (await scan(inventory.table)).length;

test('a plan lists changes without making them, and after applying it none is left', async () => {
  const { name, plan, apply, instances } = team();
  const desired = instances(1, 2);
  const planned = await plan(desired);
  expect(planned).toMatchObject({
    plan_id: expect.any(String),
    state: 'planned',
    progress: { total: 8, done: 0, failed: 0 },
    in_scope: 0,
    add: 8,
    change: 0,
    remove: 0,
    unchanged: 0,
    blocked: 0,
  });
  expect(short(planned.items)).toContain(`add agent mysqld_exporter ${name}-n1`);
  expect((await get(`/v1/nodes?name_prefix=${name}`)).nodes).toEqual([]);
  const applied = await apply(desired);
  expect(applied).toMatchObject({ status: 200, body: { state: 'done', progress: { total: 8, done: 8, failed: 0 } } });
  for (const { kind, id } of applied.body.items) expect((await get(`/v1/${kind}s/${id}`)).revision).toBe(1);
  const before = await count();
  for (const again of [await plan(desired), (await apply(desired)).body])
    expect(again).toMatchObject({ state: 'done', in_scope: 8, unchanged: 8, items: [] });
  expect(await count()).toBe(before);
});

test('a plan names each differing field and label, and applying it changes only these', async () => {
  const { name, apply, plan, node, service, process, exporter, custom_labels } = team();
  await apply({ nodes: [node(1), node(2)], services: [service(1)], agents: [process(1), exporter(1)] });
  const desired = {
    nodes: [node(1, { address: 'b', az: 'z', custom_labels: { ...custom_labels, tier: 'gold' } }), node(2)],
    services: [service(1, { node_names: [`${name}-n2`, `${name}-n1`], cluster: 'c' })],
    agents: [process(1), exporter(1, { disabled: true })],
  };
  const planned = await plan(desired);
  const changes = Object.fromEntries(planned.items.map((item: any) => [item.kind, item.changes]));
  expect(changes).toEqual({
    node: [
      { field: 'address', from: '10.0.0.1', to: 'b' },
      { field: 'az', to: 'z' },
      { field: 'custom_labels.tier', to: 'gold' },
    ],
    service: [
      { field: 'cluster', to: 'c' },
      { field: 'node_names', from: [`${name}-n1`], to: [`${name}-n2`, `${name}-n1`] },
    ],
    agent: [
      { field: 'disabled', from: false, to: true },
      { field: 'status', from: 'unknown', to: 'done' },
    ],
  });
  expect(planned).toMatchObject({ change: 3, unchanged: 2 });
  expect((await apply(desired)).body).toMatchObject({ state: 'done', progress: { done: 3 } });
  const { nodes } = await get(`/v1/nodes?name_prefix=${name}`);
  expect(nodes).toMatchObject([{ address: 'b', az: 'z', revision: 2 }, { revision: 1 }]);
  expect((await apply({ ...desired, nodes: [node(1), node(2)] })).body.items).toMatchObject([
    {
      changes: [
        { field: 'address', from: 'b', to: '10.0.0.1' },
        { field: 'az', from: 'z' },
        { field: 'custom_labels.tier', from: 'gold' },
      ],
      outcome: 'done',
    },
  ]);
});

describe('replacement', () => {
  test('an instance is replaced by another one with the same address, and its database moves there', async () => {
    const { name, apply, node, service, process, exporter } = team();
    const at = { region: `r-${name}`, address: 'same' };
    await apply({ nodes: [node(1, at)], services: [service(1)], agents: [process(1), exporter(1)] });
    const { services } = await get(`/v1/services?selector=team=${name}`);
    const desired = {
      nodes: [node(2, at)],
      services: [service(1, { node_names: [`${name}-n2`] })],
      agents: [process(2), { ...exporter(1), runs_on_node_name: `${name}-n2` }],
    };
    const reply = await apply(desired, { max_removals_percent: 100 });
    expect(reply).toMatchObject({ status: 200, body: { state: 'done', add: 3, change: 1, remove: 3, blocked: 0 } });
    expect((await apply(desired)).body.items).toEqual([]);
    const now = await get(`/v1/services?selector=team=${name}`);
    expect(now.services).toMatchObject([{ service_id: services[0].service_id, revision: 2 }]);
  });

  test('unique values are swapped, also among several objects', async () => {
    const { name, apply, node } = team();
    const region = `r-${name}`;
    const ring = (by: number) => [0, 1, 2].map((number) => node(number, { region, address: `a${(number + by) % 3}` }));
    await apply({ nodes: ring(0) });
    const reply = await apply({ nodes: ring(1) });
    expect(reply).toMatchObject({ status: 200, body: { state: 'done', change: 3, progress: { done: 3 } } });
    expect((await apply({ nodes: ring(1) })).body).toMatchObject({ unchanged: 3 });
    // The new owners hold the addresses.
    for (const address of ['a0', 'a1', 'a2'])
      expect((await inventory.request('POST', '/v1/nodes', { body: { ...node(9), region, address } })).status).toBe(
        409,
      );
  });

  test('other targets make another agent', async () => {
    const { name, apply, plan, instances, exporter, process } = team();
    const desired = instances(1, 2);
    await apply(desired);
    const other = { ...exporter(1), insights: { service_names: [`${name}-s2`] } };
    const changed = { ...desired, agents: [process(1), other, process(2), exporter(2)] };
    expect(short((await plan(changed)).items)).toEqual([
      `add agent mysqld_exporter ${name}-n1`,
      `remove agent mysqld_exporter ${name}-n1`,
    ]);
    expect((await apply(changed)).body.state).toBe('done');
    expect((await plan(changed)).items).toEqual([]);
  });

  test('of equal agents one stays, and an object that was added with its id is found', async () => {
    const { name, apply, plan, instances } = team();
    const { node_id: nodeId } = await addNode(inventory, {
      node_name: `${name}-n1`,
      address: '10.0.0.1',
      custom_labels: { team: name },
    });
    const process = () => addAgent(inventory, { agent_type: 'pmm_agent', runs_on_node_id: nodeId });
    const first = await process();
    const second = await process();
    const desired = instances(1);
    const planned = await plan(desired);
    expect(planned).toMatchObject({ unchanged: 2, add: 2, remove: 1 });
    expect(planned.items.find(({ action }: any) => action === 'remove').id).toBe(second.agent_id);
    await apply(desired, { max_removals_percent: 50 });
    expect(await get(`/v1/agents/${first.agent_id}`)).toEqual(unseen(first));
    expect((await plan(desired)).items).toEqual([]);
  });
});

test('equal agents are removed one by one, and each counts', async () => {
  await addNode(inventory, { node_name: 'alike', custom_labels: { team: 'alike' } }).then(({ node_id: id }) =>
    Promise.all([1, 2, 3].map(() => addAgent(inventory, { agent_type: 'pmm_agent', runs_on_node_id: id }))),
  );
  const node = { node_type: 'generic', node_name: 'other', address: 'alike', custom_labels: { team: 'alike' } };
  const { body } = await inventory.request('POST', '/v1/reconcile', {
    body: { mode: 'apply', scope: { selector: 'team=alike' }, max_removals_percent: 100, desired: { nodes: [node] } },
  });
  expect(body).toMatchObject({ add: 1, remove: 4, progress: { total: 5, done: 5, failed: 0 } });
  expect(new Set(body.items.map(({ id }: any) => id)).size).toBe(5);
});

describe('the scope', () => {
  test('objects outside it never change, and keep the objects on which they depend, with the reason', async () => {
    const { name, apply, plan, instances, node } = team();
    await apply(instances(1, 2));
    const { services } = await get(`/v1/services?selector=team=${name}`);
    const { nodeId, pmmAgentId } = await addHost(inventory);
    // It also watches an object outside, so it is outside the scope.
    const { service_id: foreign } = await addService(inventory, { node_ids: [nodeId] });
    const watcher = await addAgent(inventory, {
      agent_type: 'mysqld_exporter',
      pmm_agent_id: pmmAgentId,
      insights: { service_ids: [services[0].service_id, foreign] },
    });
    const elsewhere = await addService(inventory, { node_ids: services[1].node_ids });
    const reply = await apply({ nodes: [node(3)] }, { max_removals_percent: 100 });
    const blocked = Object.fromEntries(
      reply.body.items.flatMap((item: any) =>
        item.blocked === undefined ? [] : [[item.node_name ?? item.service_name, item.blocked]],
      ),
    );
    const { node_name: hostName } = await get(`/v1/nodes/${nodeId}`);
    expect(blocked).toEqual({
      [`${name}-s1`]: `Agent mysqld_exporter on node "${hostName}" outside the scope depends on it.`,
      [`${name}-n1`]: `Requires Service "${name}-s1", which is blocked.`,
      [`${name}-n2`]: `Service "${elsewhere.service_name}" outside the scope depends on it.`,
    });
    // All other objects were removed, and node 3 was added.
    expect(reply.body).toMatchObject({ state: 'done', blocked: 3, progress: { total: 6, done: 6 } });
    expect(await get(`/v1/agents/${watcher.agent_id}`)).toEqual(unseen(watcher));
    expect(await get(`/v1/services/${elsewhere.service_id}`)).toEqual(unseen(elsewhere));
    expect(await plan({ nodes: [node(3)] }, { max_removals_percent: 100 })).toMatchObject({
      state: 'done',
      blocked: 3,
    });
  });

  test('a remote agent that monitors only objects in it belongs to it', async () => {
    const { name, apply, plan, node, service } = team();
    const { nodeId } = await addHost(inventory);
    const { node_name: host } = await get(`/v1/nodes/${nodeId}`);
    const exporter = {
      agent_type: 'mysqld_exporter',
      runs_on_node_name: host,
      insights: { service_names: [`${name}-s1`] },
    };
    const desired = { nodes: [], services: [service(1, { node_names: [] })], agents: [exporter] };
    expect((await apply(desired)).body).toMatchObject({ state: 'done', add: 2 });
    expect((await plan(desired)).items).toEqual([]);
    const gone = await apply({ nodes: [node(1)] }, { max_removals_percent: 100 });
    expect(short(gone.body.items)).toEqual([
      `add node ${name}-n1`,
      `remove agent mysqld_exporter ${host}`,
      `remove service ${name}-s1`,
    ]);
  });

  test('a name of an outside object, another type, and a missing reference block the step', async () => {
    const { name, apply, plan, node, service, instances } = team();
    await addNode(inventory, { node_name: `${name}-n2`, custom_labels: { team: 'others' } });
    await apply(instances(1));
    const { agents } = instances(1);
    const planned = await plan({
      nodes: [node(1), node(2)],
      services: [{ ...service(1), service_type: 'postgresql' }, service(2), service(3)],
      agents,
    });
    expect(planned).toMatchObject({ add: 3, change: 1, remove: 0, blocked: 4 });
    expect(planned.items.map(({ blocked }: any) => blocked).sort()).toEqual([
      'Exists with the type mysql, which cannot change. Remove it first.',
      `Node "${name}-n2" exists outside the scope.`,
      `Node "${name}-n3" does not exist and is not in desired.`,
      `Requires Node "${name}-n2", which is blocked.`,
    ]);
    expect(planned.plan_id).toBeUndefined();
  });

  test('a unique value of an object outside the scope blocks the step', async () => {
    const { name, plan, node } = team();
    const at = { region: `r-${name}`, address: 'taken' };
    await addNode(inventory, at);
    expect((await plan({ nodes: [node(1, at), node(2)] })).items).toMatchObject([
      { node_name: `${name}-n2` },
      { node_name: `${name}-n1`, blocked: `Node with address "taken" and region "r-${name}" already exists.` },
    ]);
    const fields = { region: `own-${name}`, address: 'x' };
    expect((await plan({ nodes: [node(3, fields), node(4, fields)] })).blocked).toBe(1);
  });

  test.each([
    ['nothing', {}],
    ['only what is not in it', { selector: '!team,env!=dev' }],
    ['no selector', { selector: 'team=' }],
    ['an empty prefix', { name_prefix: '' }],
  ])('a scope that says %s is refused', async (_, scope) => {
    expect(await send({ scope, desired: {} })).toMatchObject({ status: 400, body: { code: 3 } });
  });

  test('by name prefix', async () => {
    const { name, node } = team();
    const scope = { name_prefix: `${name}-` };
    const add = (mode: string, ...nodes: object[]) =>
      send({ scope, desired: { nodes }, mode, max_removals_percent: 50 });
    expect((await add('apply', node(1), node(2))).body).toMatchObject({ add: 2, state: 'done' });
    expect((await add('plan', node(1))).body).toMatchObject({ remove: 1, unchanged: 1 });
    expect(await send({ scope, desired: { nodes: [{ ...node(1), node_name: 'other' }] } })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'desired.nodes.0', reason: 'outside_scope' }] },
    });
  });
});

test('all malformed fields are named at once, and nothing is written', async () => {
  const { name, scope, node, service, process, exporter } = team();
  const reply = await send({
    scope,
    mode: 'apply',
    desired: {
      nodes: [node(1), node(1), node(2, { custom_labels: {} })],
      services: [service(1), service(1)],
      agents: [
        process(1),
        exporter(1),
        exporter(1, { listen_port: 7 }),
        { ...exporter(2), runs_on_node_name: 'elsewhere', insights: { service_names: ['foreign'] } },
        { agent_type: 'node_exporter', runs_on_node_name: `${name}-n1` },
        { agent_type: 'node_exporter', runs_on_node_name: `${name}-n1`, insights: { node_names: [`${name}-n1`] } },
        { agent_type: 'vm_agent', runs_on_node_name: `${name}-n2` },
      ],
    },
  });
  expect(reply.status).toBe(400);
  expect(reply.body.details.map(({ field, reason }: any) => `${field} ${reason}`).sort()).toEqual(
    [
      'desired.nodes.2 outside_scope',
      'desired.nodes.1 duplicate',
      'desired.services.1 duplicate',
      'desired.agents.2 duplicate',
      'desired.agents.5 duplicate',
      'desired.agents.3 outside_scope',
      'desired.agents.6.runs_on_node_name required',
    ].sort(),
  );
  const secret = await send({ scope, desired: { agents: [{ ...exporter(1), password: 'hunter2' }] } });
  expect(secret.body.details[0]).toMatchObject({ field: 'desired.agents.0.password', reason: 'credential' });
  expect((await get(`/v1/nodes?name_prefix=${name}`)).nodes).toEqual([]);
});

describe('limits', () => {
  test('an empty desired state is refused, unless the scope is empty', async () => {
    const { name, apply, plan, instances } = team();
    expect((await apply({})).body).toMatchObject({ state: 'done', in_scope: 0 });
    await apply(instances(1));
    const message = /^`desired` is empty but the scope contains 4 objects\. No changes were made\./;
    for (const desired of [{}, { nodes: [], services: [], agents: [] }]) {
      expect(await apply(desired, { max_removals_percent: 100 })).toMatchObject({ status: 400, body: { code: 9 } });
      expect((await plan(desired)).message).toMatch(message);
    }
    expect((await get(`/v1/nodes?name_prefix=${name}`)).nodes).toHaveLength(1);
  });

  test('above max_removals_percent nothing is written, with the reason; at the limit the plan is applied', async () => {
    const { name, apply, plan, instances } = team();
    await apply(instances(1, 2, 3, 4, 5));
    const desired = instances(1, 2, 3, 6);
    const refusal =
      '8 of 20 objects in the scope (40 %) would be removed, but max_removals_percent allows 20 %. No changes were made.';
    const planned = await plan(desired);
    expect(planned).toMatchObject({ refusal, remove: 8, add: 4 });
    expect(planned.plan_id).toBeUndefined();
    const before = await count();
    expect(await apply(desired)).toMatchObject({ status: 400, body: { code: 9, message: refusal } });
    expect(await count()).toBe(before);
    expect((await apply(desired, { max_removals_percent: 40 })).body).toMatchObject({ state: 'done', remove: 8 });
    const { nodes } = await get(`/v1/nodes?name_prefix=${name}`);
    expect(nodes.map((node: any) => node.node_name)).toEqual([1, 2, 3, 6].map((number) => `${name}-n${number}`));
    // A fifth of the objects may be removed by default.
    expect((await apply(instances(1, 2, 3))).status).toBe(400);
    await apply(instances(1, 2, 3, 6, 7));
    expect((await apply(instances(1, 2, 3, 6))).status).toBe(200);
  });
});

describe('a plan that was shown', () => {
  test('is applied by its id as shown, and a repetition does nothing', async () => {
    const { name, plan, instances } = team();
    const { plan_id: id, expires_at: end } = await plan(instances(1));
    const started = await get(`/v1/reconcile/${id}`);
    expect(started).toMatchObject({ plan_id: id, state: 'planned', progress: { total: 4, done: 0 }, expires_at: end });
    for (let time = 0; time < 2; time += 1)
      expect(await send({ plan_id: id, mode: 'apply' })).toMatchObject({
        status: 200,
        body: { plan_id: id, state: 'done', progress: { total: 4, done: 4, failed: 0 } },
      });
    expect(await get(`/v1/reconcile/${id}`)).toMatchObject({ state: 'done', progress: { done: 4 } });
    expect((await get(`/v1/nodes?name_prefix=${name}`)).nodes).toMatchObject([{ revision: 1 }]);
  });

  test.each([
    ['an object of it has changed', 'change'],
    ['something has come into the scope', 'add'],
    ['something has gone', 'remove'],
  ])('is refused when %s, and nothing is written', async (_, what) => {
    const { name, plan, apply, instances, node } = team();
    await apply(instances(1, 2));
    const desired = { ...instances(1, 2), nodes: [node(1, { az: 'z' }), node(2, { az: 'z' })] };
    const { plan_id: id } = await plan(desired);
    const { nodes } = await get(`/v1/nodes?name_prefix=${name}`);
    const path = `/v1/nodes/${nodes[0].node_id}`;
    if (what === 'change') await inventory.request('PATCH', path, { body: { distro: 'x' } });
    if (what === 'add') await addNode(inventory, node(3));
    if (what === 'remove') await inventory.request('DELETE', `${path}?force=true`);
    const before = await count();
    expect(await send({ plan_id: id, mode: 'apply' })).toMatchObject({
      status: 412,
      body: {
        code: 9,
        message: 'The inventory has changed since this plan was made. No changes were made. Make a new plan.',
      },
    });
    expect(await count()).toBe(before);
    expect((await get(`/v1/nodes?name_prefix=${name}`)).nodes.some((node: any) => node.az === 'z')).toBe(false);
  });

  test('belongs to its maker, and ends after a day', async () => {
    const { plan, instances } = team();
    const { plan_id: id, expires_at: end } = await plan(instances(1));
    const notThere = { status: 404, body: { code: 5 } };
    expect(await send({ plan_id: id, mode: 'apply' }, 'Admin')).toMatchObject(notThere);
    expect(await inventory.request('GET', `/v1/reconcile/${id}`, { as: 'Admin' })).toMatchObject(notThere);
    expect(await send({ plan_id: 'nope', mode: 'apply' })).toMatchObject(notThere);
    inventory.clock.now = new Date(end);
    expect(await send({ plan_id: id, mode: 'apply' })).toMatchObject(notThere);
  });

  test('of a user is available in every session of that user', async () => {
    const { scope, instances } = team();
    const password = { Authorization: `Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')}` };
    const logIn = async () => {
      const { body } = await inventory.request('POST', '/v1/sessions', { headers: password });
      return { headers: { Authorization: `Bearer ${body.key}` } };
    };
    const { body: plan } = await inventory.request('POST', '/v1/reconcile', {
      body: { scope, desired: instances(1) },
      ...(await logIn()),
    });
    for (const as of [await logIn(), { headers: password }])
      expect((await inventory.request('GET', `/v1/reconcile/${plan.plan_id}`, as)).status).toBe(200);
    expect((await send({ plan_id: plan.plan_id, mode: 'apply' })).status).toBe(404);
  });

  test('has its own scope and requires apply', async () => {
    const { plan, instances, scope } = team();
    const { plan_id: id } = await plan(instances(1));
    expect((await send({ plan_id: id })).body.details).toMatchObject([{ field: 'mode' }]);
    expect((await send({ plan_id: id, mode: 'apply', scope, max_removals_percent: 100 })).body.details).toMatchObject([
      { field: 'scope', reason: 'not_allowed' },
      { field: 'max_removals_percent', reason: 'not_allowed' },
    ]);
    expect((await send({})).body.details).toMatchObject([{ field: 'scope' }, { field: 'desired' }]);
  });
});

test('unfinished work is accepted, and Location leads to its progress', async () => {
  let isSlow = false;
  const slow = await startInventory({
    table: (table) => {
      // The first write takes all the time in which a request begins steps.
      const send = async (command: any) => {
        const reply = await table.client.send(command);
        if (command.constructor.name === 'TransactWriteCommand' && isSlow) {
          isSlow = false;
          slow.passing.advance(LAST_BEGIN_MS + 1);
        }
        return reply;
      };
      return withSend(table, send);
    },
  });
  try {
    const { scope, instance } = team();
    const apply = () =>
      slow.request('POST', '/v1/reconcile', { body: { scope, desired: instance(1), mode: 'apply' }, as: 'Editor' });
    isSlow = true;
    const accepted = await apply();
    const { plan_id: id } = accepted.body;
    expect(accepted).toMatchObject({
      ...{ status: 202, headers: { Location: `/v1/reconcile/${id}` } },
      body: { state: 'applying', progress: { total: 4, done: 1 } },
    });
    const progress = await slow.request('GET', `/v1/reconcile/${id}`, { as: 'Editor' });
    expect(progress).toMatchObject({ status: 200, body: { state: 'applying', progress: { done: 1 } } });
    expect(await apply()).toMatchObject({ status: 200, body: { state: 'done' } });
  } finally {
    await slow.stop();
  }
});

test('a Viewer plans and sees the progress of its own plan, but cannot apply it', async () => {
  const { scope, name, apply, instances } = team();
  await apply(instances(1));
  const planned = await send({ scope, desired: instances(1, 2), mode: 'plan' }, 'Viewer');
  expect(planned).toMatchObject({ status: 200, body: { state: 'planned', add: 4, unchanged: 4 } });
  const { plan_id: id, plan_digest: digest } = planned.body;
  const path = `/v1/reconcile/${id}`;
  expect(await inventory.request('GET', path, { as: 'Viewer' })).toMatchObject({ status: 200, body: { plan_id: id } });
  expect((await inventory.request('GET', path, { as: 'Editor' })).status).toBe(404);
  const others = async () => (await scan(inventory.table)).filter(({ pk }) => pk !== 'AUDIT#REFUSED').length;
  const before = await others();
  const denied = { status: 403, body: { code: 7, message: 'Access denied.' } };
  expect(await send({ scope, desired: instances(1, 2), mode: 'apply' }, 'Viewer')).toMatchObject(denied);
  expect(await send({ scope, desired: instances(1, 2), mode: 'apply', plan_digest: digest }, 'Viewer')).toMatchObject(
    denied,
  );
  expect(await send({ plan_id: id, mode: 'apply' }, 'Viewer')).toMatchObject(denied);
  expect(await inventory.request('POST', `${path}/cancel`, { as: 'Viewer' })).toMatchObject(denied);
  expect(await others()).toBe(before);
  expect((await get(`/v1/nodes?name_prefix=${name}`)).nodes).toHaveLength(1);
});

describe('a plan of another caller', () => {
  const applyShown = (scope: object, desired: object, digest: string, more: object = {}) =>
    send({ scope, desired, mode: 'apply', plan_digest: digest, ...more });

  test('is applied by its digest, whatever its age and object order, and a repetition does nothing', async () => {
    const { scope, instances } = team();
    const desired = instances(1, 2);
    const { body } = await send({ scope, desired }, 'Viewer');
    inventory.clock.now = testTime(30 * 86_400_000);
    const reversed = { ...desired, agents: desired.agents.toReversed() };
    for (let time = 0; time < 2; time += 1)
      expect(await applyShown(scope, reversed, body.plan_digest)).toMatchObject({
        status: 200,
        body: { state: 'done', progress: { total: 8, done: 8, failed: 0 } },
      });
    expect((await send({ scope, desired }, 'Viewer')).body).toMatchObject({ unchanged: 8, items: [] });
  });

  test('is resumed by the same request, which performs only its items', async () => {
    const { name, scope, plan, instances } = team();
    const desired = instances(1, 2);
    const { plan_digest: digest } = await plan(desired);
    const { body } = await applyShown(scope, desired, digest);
    const agent = body.items.find(({ agent_type: type }: any) => type === 'mysqld_exporter');
    await inventory.request('DELETE', `/v1/agents/${agent.id}`);
    expect(await applyShown(scope, desired, digest)).toMatchObject({
      status: 200,
      body: { plan_id: body.plan_id, add: 1, unchanged: 7, state: 'done' },
    });
    const { nodes } = await get(`/v1/nodes?name_prefix=${name}`);
    await inventory.request('PATCH', `/v1/nodes/${nodes[0].node_id}`, { body: { az: 'z' } });
    expect(await applyShown(scope, desired, digest)).toMatchObject({
      status: 412,
      body: { message: expect.stringContaining('No further changes were made.') },
    });
    expect((await get(`/v1/nodes/${nodes[0].node_id}`)).az).toBe('z');
  });

  test.each([
    ['the inventory has changed', (node: any) => node(3), {}],
    ['an object to add has other fields', undefined, { az: 'z' }],
  ])('is refused when %s, and nothing is written', async (_, other, more) => {
    const { name, scope, plan, instances, node } = team();
    const { plan_digest: digest } = await plan(instances(1));
    if (other !== undefined) await addNode(inventory, other(node));
    const before = await count();
    expect(await applyShown(scope, { ...instances(1), nodes: [node(1, more)] }, digest)).toMatchObject({
      status: 412,
      body: {
        code: 9,
        message:
          'The inventory or the request has changed since the plan with this plan_digest was made. No changes were made. Make a new plan.',
      },
    });
    expect(await count()).toBe(before);
    expect((await get(`/v1/nodes?name_prefix=${name}-n1`)).nodes).toEqual([]);
  });

  test('obeys max_removals_percent, and its digest requires apply and a whole request', async () => {
    const { scope, plan, apply, instances } = team();
    await apply(instances(1, 2));
    const { plan_digest: digest, plan_id: id, refusal } = await plan(instances(1));
    expect([id, refusal]).toEqual([undefined, expect.stringContaining('4 of 8 objects')]);
    expect(await applyShown(scope, instances(1), digest)).toMatchObject({ status: 400, body: { message: refusal } });
    expect((await send({ scope, desired: instances(1), plan_digest: digest })).body.details).toMatchObject([
      { field: 'plan_digest', reason: 'not_allowed' },
    ]);
    expect((await send({ mode: 'apply', plan_id: 'p', plan_digest: digest })).body.details).toMatchObject([
      { field: 'plan_digest', reason: 'not_allowed' },
    ]);
    expect((await applyShown(scope, instances(1), 'short')).body.details).toMatchObject([{ field: 'plan_digest' }]);
    const allowed = await applyShown(scope, instances(1), digest, { max_removals_percent: 50 });
    expect(allowed).toMatchObject({ status: 200, body: { remove: 4, state: 'done' } });
  });
});

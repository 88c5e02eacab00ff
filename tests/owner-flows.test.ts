/** Editors with owners: their keys, stamps, removals and jobs. */
import { randomUUID } from 'node:crypto';
import { keepReconciliation } from '../functions/store/jobs/reconciliations.ts';
import { continueReconciliation } from '../functions/triggers/continue-jobs/reconciliation.ts';
import { contextOf } from './support/store.ts';
import { type Inventory, startInventory } from './support/inventory.ts';
import { addLimitedKey, type LimitedKey, requestsWith, teamHost } from './support/teams.ts';

let inventory: Inventory;
let team: LimitedKey;
beforeAll(async () => {
  inventory = await startInventory();
  team = await addLimitedKey(inventory, ['a']);
});
afterAll(() => inventory.stop());

const node = (more: object = {}) => ({ node_type: 'generic', node_name: randomUUID(), address: '10.0.0.1', ...more });
const admin: LimitedKey['request'] = (method, path, body) =>
  inventory.request(method, path, body === undefined ? {} : { body });

test("an add without the label gets the caller's only owner, and with several owners is refused", async () => {
  expect((await team.request('POST', '/v1/nodes', node())).body.custom_labels).toEqual({ team: 'a' });
  const both = await addLimitedKey(inventory, ['a', 'b']);
  expect(await both.request('POST', '/v1/nodes', node())).toMatchObject({
    status: 403,
    body: { message: 'Access denied: this key writes only team "a" or "b". Set the label.' },
  });
});

test('a change of the label beyond the limit is refused, and a key writes nothing without an owner', async () => {
  const { body: ownNode } = await team.request('POST', '/v1/nodes', node());
  const { body: free } = await admin('POST', '/v1/nodes', node());
  const change = (id: string) => team.request('PATCH', `/v1/nodes/${id}`, { custom_labels: { team: 'b' } });
  expect([(await change(ownNode.node_id)).status, (await change(free.node_id)).status]).toEqual([403, 403]);
});

test('a PMM call sets the owner too', async () => {
  const { status, body } = await team.request('POST', '/v1/inventory/nodes', {
    generic: { node_name: randomUUID(), address: '10.0.0.1' },
  });
  expect([status, body.generic.custom_labels]).toEqual([200, { team: 'a' }]);
});

test("a forced removal with another owner's object removes nothing", async () => {
  const host = await teamHost(inventory, 'a');
  await admin('PATCH', `/v1/agents/${host.exporter.agent_id}`, { custom_labels: { team: 'b' } });
  const path = `/v1/nodes/${host.node.node_id}`;
  expect((await team.request('DELETE', `${path}?force=true`)).status).toBe(403);
  const { body: left } = await admin('GET', `/v1/services/${host.service.service_id}`);
  expect(left).toMatchObject({ revision: 1 });
  await admin('PATCH', `/v1/agents/${host.exporter.agent_id}`, { custom_labels: { team: 'a' } });
  expect((await team.request('DELETE', `${path}?force=true`)).status).toBe(204);
});

test('a team adds, narrows and removes only keys with a subset of its owners', async () => {
  const lead = await addLimitedKey(inventory, ['a', 'b'], { time_to_live: '10d' });
  const add = (more: object) =>
    lead.request('POST', '/v1/api-keys', { name: randomUUID(), role: 'Editor', time_to_live: '1d', ...more });
  expect((await add({ role: 'Admin' })).status).toBe(403);
  expect((await add({ owners: ['a', 'c'] })).status).toBe(403);
  expect((await add({ time_to_live: '20d' })).status).toBe(403);
  const { body: key } = await add({});
  expect(key.owners).toEqual(['a', 'b']);
  const narrowed = requestsWith(inventory, key.key);
  expect((await narrowed('GET', '/v1/caller')).body).toMatchObject({ role: 'Editor', owners: ['a', 'b'] });
  const narrow = (owners: string[]) => lead.request('PATCH', `/v1/api-keys/${key.key_id}`, { owners });
  expect([(await narrow(['b'])).status, (await narrow(['a', 'b'])).status]).toEqual([204, 400]);
  const inA = { custom_labels: { team: 'a' } };
  const inB = { custom_labels: { team: 'b' } };
  const statuses = [await narrowed('POST', '/v1/nodes', node(inA)), await narrowed('POST', '/v1/nodes', node(inB))];
  expect(statuses.map(({ status }) => status)).toEqual([403, 201]);
  expect((await lead.request('DELETE', `/v1/api-keys/${key.key_id}`)).status).toBe(204);
  const others = (await admin('GET', '/v1/api-keys?name_prefix=test')).body.api_keys;
  const ids = others.map((listedKey: any) => listedKey.key_id);
  for (const id of ids) expect((await lead.request('DELETE', `/v1/api-keys/${id}`)).status).toBe(404);
});

test("a host with an owner cannot change its node's owner", async () => {
  const { body: token } = await admin('POST', '/v1/enrolment-tokens', { name: 'hosts', owner: 'a' });
  const enrolled = await inventory.request('POST', '/v1/enrolment', {
    as: null,
    body: { token: token.token, node: node({ address: '10.7.7.7' }) },
    sourceIp: '10.7.7.7',
  });
  expect([enrolled.text, enrolled.body.node?.custom_labels]).toEqual([enrolled.text, { team: 'a' }]);
  const host = requestsWith(inventory, enrolled.body.api_key.key);
  const path = `/v1/nodes/${enrolled.body.node.node_id}`;
  expect((await host('PATCH', path, { custom_labels: { team: 'b' } })).status).toBe(403);
  expect((await host('PATCH', path, { custom_labels: { k: 'v' } })).status).toBe(200);
});

test("a job that continues without its caller does not change other owners' objects", async () => {
  const prefix = randomUUID();
  const named = (name: string, owner: string) =>
    admin('POST', '/v1/nodes', node({ node_name: `${prefix}-${name}`, custom_labels: { team: owner } }));
  const [ownNode, foreign] = [await named('own', 'a'), await named('foreign', 'b')];
  const { clock, table } = { clock: inventory.dependencies.clock, table: inventory.table };
  const planId = randomUUID();
  const writeContext = {
    ...contextOf(),
    actor: { kind: 'api_key' as const, id: team.id, name: team.name },
    limit: { label: 'team', owners: ['a'] },
  };
  const desired = { nodes: [{ node_type: 'generic' as const, node_name: `${prefix}-new`, address: 'x' }] };
  const request: any = { scope: { name_prefix: prefix }, desired: { services: [], agents: [], ...desired } };
  request.desired.nodes[0].custom_labels = {};
  request.max_removals_percent = 100;
  const progress = { state: 'applying' as const, total: 2, done: 0, failed: 0, failures: [] };
  await keepReconciliation(table, { planId, callerId: team.id, writeContext, now: clock() }, { request }, progress);
  await continueReconciliation(inventory.dependencies, planId);
  const status = async ({ body }: any) => (await admin('GET', `/v1/nodes/${body.node_id}`)).status;
  expect([await status(ownNode), await status(foreign)]).toEqual([404, 200]);
  const { body } = await admin('GET', `/v1/nodes?selector=team%3Da&name_prefix=${prefix}`);
  expect(body.nodes).toMatchObject([{ node_name: `${prefix}-new` }]);
});

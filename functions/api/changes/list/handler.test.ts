import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { addAgent, addHost, addNode, addService } from '../../../../tests/support/add.ts';
import { putChanges } from '../../../../tests/support/changes.ts';
import { isPending } from '../../../../tests/support/manual-clock.ts';
import { type Inventory, startInventory } from '../../../../tests/support/inventory.ts';
import { readFeed } from '../../../store/history/change-feed.ts';
import { FIRST_CHANGE_SHARDS } from '../../../store/table/keys.ts';
import { TEST_TIME, testTime } from '../../../../tests/support/test-time.ts';
import { withSend } from '../../../../tests/support/table.ts';

let inventory: Inventory;
beforeEach(async () => (inventory = await startInventory()));
afterEach(() => inventory.stop());

const ask = async (query: string, as: 'Viewer' | 'Editor' = 'Viewer') =>
  inventory.request('GET', `/v1/changes${query}`, { as });
/** A cursor after all changes. */
const now = async (): Promise<string> => (await follow((await ask('?since=now')).body.next)).next;

/** All changes since a cursor, page by page, and the cursor at the end. */
async function follow(since: string | undefined, limit = 100): Promise<{ changes: any[]; next: string }> {
  const changes: any[] = [];
  let next = since;
  for (;;) {
    const reply = await ask(`?limit=${limit}${next === undefined ? '' : `&since=${next}`}`);
    expect([reply.status, reply.text.slice(0, 200)]).toEqual([200, expect.anything()]);
    changes.push(...reply.body.changes);
    next = reply.body.next as string;
    if (!reply.body.more) return { changes, next };
  }
}

const brief = ({ kind, action, revision, id }: any) => [kind, action, revision, id];

test('a change contains the action, author, request, and the object before and after', async () => {
  const since = await now();
  const node = await addNode(inventory, { az: 'z', custom_labels: { a: '1', b: '2' } });
  const { headers, body } = await inventory.request('PATCH', `/v1/nodes/${node.node_id}`, {
    body: { az: null, distro: 'd', custom_labels: { b: null } },
    as: 'Editor',
  });
  await inventory.request('DELETE', `/v1/nodes/${node.node_id}`);
  const { changes } = await follow(since);
  expect(changes.map(brief)).toEqual([
    ['node', 'added', 1, node.node_id],
    ['node', 'changed', 2, node.node_id],
    ['node', 'removed', 2, node.node_id],
  ]);
  const [added, changed, removed] = changes;
  expect(added.after).toEqual(node);
  expect(added).not.toHaveProperty('before');
  expect(changed).toMatchObject({
    before: { az: 'z', custom_labels: { a: '1', b: '2' }, updated_at: node.updated_at },
    after: { distro: 'd', custom_labels: { a: '1' } },
    actor: { kind: 'api_key', name: 'test Editor', id: expect.any(String) },
    request_id: headers['X-Request-Id'] ?? expect.any(String),
    time: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  expect(Object.keys(changed.before).sort()).toEqual(['az', 'custom_labels', 'updated_at']);
  expect(removed.before).toEqual(body);
  expect(removed).not.toHaveProperty('after');
});

test('requests that are refused or change nothing make no change', async () => {
  const { nodeId } = await addHost(inventory);
  const since = await now();
  await inventory.request('PATCH', `/v1/nodes/${nodeId}`, { body: {} });
  await inventory.request('DELETE', `/v1/nodes/${nodeId}`);
  await inventory.request('POST', '/v1/nodes', { body: { node_type: 'generic' } });
  expect((await follow(since)).changes).toEqual([]);
});

test('a forced removal makes a change of each object, dependants first', async () => {
  const { nodeId, pmmAgentId } = await addHost(inventory);
  const { node_id: other } = await addNode(inventory);
  const here = await addService(inventory, { node_ids: [nodeId] });
  const both = await addService(inventory, { node_ids: [nodeId, other] });
  const insights = { service_ids: [here.service_id] };
  const exporter = await addAgent(inventory, { agent_type: 'mysqld_exporter', pmm_agent_id: pmmAgentId, insights });
  const since = await now();
  await inventory.request('DELETE', `/v1/nodes/${nodeId}?force=true`);
  const { changes } = await follow(since);
  expect(changes.map(({ id, action }: any) => [id, action])).toEqual([
    [both.service_id, 'changed'],
    [exporter.agent_id, 'removed'],
    [pmmAgentId, 'removed'],
    [here.service_id, 'removed'],
    [nodeId, 'removed'],
  ]);
  expect(changes[0]).toMatchObject({ before: { node_ids: [nodeId, other] }, after: { node_ids: [other] } });
  expect(new Set(changes.map(({ request_id: id }: any) => id)).size).toBe(1);
});

test('pages of any size contain each change once, whatever their age', async () => {
  const ids: string[] = [];
  // Some far older than the time after which the order is final, some just older, some more recent, many in one millisecond.
  const start = TEST_TIME;
  for (const secondsAgo of [90, 90, 90, 60, 21, 20, 19, 1, 0, 0]) {
    inventory.clock.now = new Date(start - secondsAgo * 1000);
    ids.push(...(await Promise.all(Array.from({ length: 3 }, () => addNode(inventory)))).map((node) => node.node_id));
  }
  for (const limit of [3, 25, 1000]) {
    for (const later of [0, 5, 60]) {
      inventory.clock.now = new Date(start + later * 1000);
      const { changes, next } = await follow(undefined, limit);
      expect(changes.map(({ id }: any) => id).sort()).toEqual([...ids].sort());
      expect(changes.map(({ time }: any) => time)).toEqual(changes.map(({ time }: any) => time).sort());
      expect(await follow(next, limit)).toMatchObject({ changes: [] });
    }
  }
});

test('a cursor returns late changes while the order becomes final', async () => {
  const start = TEST_TIME;
  inventory.clock.now = new Date(start);
  await Promise.all(Array.from({ length: 20 }, () => addNode(inventory)));
  let { changes, next } = await follow(undefined);
  expect(changes).toHaveLength(20);
  for (const second of [1, 10, 19, 20, 21, 40]) {
    // A function whose clock is behind, or whose write took long: its change precedes those that were read.
    inventory.clock.now = new Date(start + second * 1000 - 15_000 * (second < 20 ? 1 : 0));
    const { node_id: late } = await addNode(inventory);
    inventory.clock.now = new Date(start + second * 1000);
    ({ changes, next } = await follow(next));
    expect(changes.map(({ id }: any) => id)).toEqual([late]);
  }
});

test('since=now returns later changes, and those that lists may not show yet', async () => {
  const start = TEST_TIME;
  const ids: string[] = [];
  for (const secondsAgo of [21, 19, 0]) {
    inventory.clock.now = new Date(start - secondsAgo * 1000);
    ids.push((await addNode(inventory)).node_id);
  }
  const since = (await ask('?since=now')).body.next;
  ids.push((await addNode(inventory)).node_id);
  expect((await follow(since)).changes.map((change: any) => change.id).sort()).toEqual(ids.slice(1).sort());
});

test('a cursor from before the oldest kept change is a 410, an invalid one a 400', async () => {
  const since = await now();
  await addNode(inventory);
  inventory.clock.now = testTime(29 * 86_400_000);
  expect((await follow(since)).changes).toHaveLength(1);
  inventory.clock.now = testTime(31 * 86_400_000);
  expect(await ask(`?since=${since}`)).toMatchObject({ status: 410, body: { code: 11, status: 'OUT_OF_RANGE' } });
  // Expired changes are not returned, though the table may still contain them.
  expect((await follow(undefined)).changes).toEqual([]);
  for (const wrong of ['x', '', `${since}x`, since.slice(1)])
    expect(await ask(`?since=${wrong}`)).toMatchObject({ status: 400, body: { details: [{ field: 'since' }] } });
});

test('wait returns at the first change, or at its end', async () => {
  const since = await now();
  const waiting = ask(`?since=${since}&wait=20`);
  await inventory.passing.untilWaiting(500);
  const { node_id: id } = await addNode(inventory);
  inventory.passing.advance(500);
  expect((await waiting).body.changes).toMatchObject([{ id, action: 'added' }]);
  const next = (await follow(since)).next;
  const inVain = ask(`?since=${next}&wait=1`);
  for (let halves = 0; halves < 2; halves += 1) {
    await inventory.passing.untilWaiting(500);
    expect(await isPending(inVain)).toBe(true);
    inventory.passing.advance(500);
  }
  expect((await inVain).body).toMatchObject({ changes: [], more: false });
});

test('a page without changes of the requested kinds ends the wait if more pages follow', async () => {
  await addNode(inventory);
  await addNode(inventory);
  const waiting = inventory.passing.untilWaiting(500).then(() => 'waits');
  const reply = await Promise.race([ask('?kinds=service&limit=1&wait=20'), waiting]);
  // Ends the other one.
  inventory.passing.after(0, () => undefined);
  await waiting;
  expect(reply).toMatchObject({ status: 200, body: { changes: [], more: true } });
});

test('a page ends before a change that arrived during the read, because changes before it may be missing', async () => {
  const start = TEST_TIME;
  const at = async (milliseconds: number) => {
    inventory.clock.now = new Date(start + milliseconds);
    return (await addNode(inventory)).node_id;
  };
  const first = await at(1);
  const last = await at(10_000);
  let looks = 0;
  let between: Promise<void> | undefined;
  const send = async (command: any) => {
    const isLook = command instanceof QueryCommand && command.input.KeyConditionExpression!.includes('>= :sk');
    if (isLook) looks += 1;
    if (isLook && looks > FIRST_CHANGE_SHARDS)
      await (between ??= putChanges(inventory.table, { many: 1, start: start + 5000 }));
    return inventory.table.client.send(command);
  };
  const watched: any = withSend(inventory.table, send);
  const page = await readFeed(watched, undefined, { most: 100, now: new Date(start + 10_001) });
  const idsOf = ({ changes }: any) => changes.map(({ id }: any) => id);
  expect([idsOf(page), page.more]).toEqual([[first], true]);
  const rest = await readFeed(inventory.table, page.next, { most: 100, now: new Date(start + 10_001) });
  expect([idsOf(rest), rest.more]).toEqual([['0', last], false]);
});

test('more changes at one moment than a cursor can name delay a follower, and none is lost', async () => {
  const start = TEST_TIME;
  const many = 560;
  // Written directly: as many calls would take longer than the time after which the order is final.
  const template = await addNode(inventory);
  await putChanges(inventory.table, { many, start });
  inventory.clock.now = new Date(start + 1000);
  const { body } = await ask('?limit=1000');
  expect([body.changes.length, body.more]).toEqual([500, true]);
  const next: string = body.next;
  expect((await ask(`?limit=1000&since=${next}`)).body).toMatchObject({ changes: [], more: true });
  inventory.clock.now = new Date(start + 30_000);
  const rest = await follow(next, 90);
  const ids = [...body.changes, ...rest.changes].map((change: any) => change.id);
  expect(new Set(ids).size).toBe(many + 1);
  expect(ids).toHaveLength(many + 1);
  expect(ids).toContain(template.node_id);
});

test('changes too large for one reply come in several pages', async () => {
  const labels = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`l${index}`, '語'.repeat(1000)]));
  for (let count = 0; count < 40; count += 1) await addNode(inventory, { custom_labels: labels });
  const { body, text } = await ask('?limit=100');
  expect(Buffer.byteLength(text)).toBeLessThan(6_000_000);
  expect(body.more).toBe(true);
  expect((await follow(undefined)).changes).toHaveLength(40);
});

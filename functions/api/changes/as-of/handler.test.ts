import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import fc from '../../../../shared/testing/fast-check.ts';
import { mediaTypes } from '../../../../shared/core/format.ts';
import { toLines } from '../../../../shared/http/lines.ts';
import { inFull } from '../../../../shared/testing/extent.ts';
import { addAgent, addNode, addService } from '../../../../tests/support/add.ts';
import { MAX_CHANGES_AFTER } from '../../../domain/records/as-of.ts';
import { changeKey } from '../../../store/table/keys.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

/** Each test begins a day after the others. */
let now = Date.parse('2027-01-01T00:00:00Z');
beforeEach(() => setClock((now += 86_400_000)));
afterAll(() => (inventory.clock.now = undefined));
const setClock = (time: number) => (inventory.clock.now = new Date((now = time)));
const pass = (milliseconds: number) => setClock(now + milliseconds);
const text = (time: number) => new Date(time).toISOString();

const change = (path: string, body: object) => inventory.request('PATCH', `/v1/${path}`, { body });

async function asOf(kind: string, id: string, time?: number, removal?: string) {
  const query = new URLSearchParams({
    ...(time === undefined ? {} : { time: text(time) }),
    ...(removal === undefined ? {} : { removal }),
  });
  const { status, body } = await inventory.request('GET', `/v1/as-of/${kind}/${id}?${query.toString()}`, {
    as: 'Viewer',
  });
  expect([status, body.kind, body.id]).toEqual([200, kind, id]);
  return body;
}

/** The change that removed an object. */
async function removalOf(id: string): Promise<string> {
  const { removals } = (await inventory.request('GET', '/v1/removed?page_size=1000')).body;
  return removals.flatMap(({ objects }: any) => objects).find((object: any) => object.id === id).change_id;
}

test('returns a node between its changes with their times, and before its add', async () => {
  const start = now;
  const { node_id: id } = await addNode(inventory, { az: 'a', region: 'eu' });
  pass(1000);
  await change(`nodes/${id}`, { az: 'b', region: null, custom_labels: { team: 'x' } });
  pass(1000);
  await change(`nodes/${id}`, { az: 'c' });
  pass(1000);
  expect(await asOf('node', id, start - 1)).toEqual({
    ...{ kind: 'node', id, time: text(start - 1) },
    ...{ presence: 'not_added', until: text(start) },
  });
  expect(await asOf('node', id, start + 999)).toMatchObject({
    ...{ presence: 'present', from: text(start), until: text(start + 1000) },
    object: { az: 'a', region: 'eu', custom_labels: {}, revision: 1, updated_at: text(start) },
  });
  const second = await asOf('node', id, start + 1000);
  expect(second).toMatchObject({ object: { az: 'b', custom_labels: { team: 'x' }, revision: 2 } });
  expect(second.object).not.toHaveProperty('region');
  const present = await asOf('node', id);
  expect(present).toMatchObject({ time: text(now), from: text(start + 2000), object: { az: 'c', revision: 3 } });
  expect(present).not.toHaveProperty('until');
  expect(present.object).not.toHaveProperty('last_change');
});

test('returns a removed object only by its removal, and before that removal', async () => {
  const { node_id: id } = await addNode(inventory, { az: 'a' });
  const { node_id: other } = await addNode(inventory);
  pass(1000);
  await inventory.request('DELETE', `/v1/nodes/${id}`);
  const removed = now;
  pass(1000);
  const removal = await removalOf(id);
  expect(await asOf('node', id, now, removal)).toMatchObject({ presence: 'removed', from: text(removed) });
  expect(await asOf('node', id, removed - 1, removal)).toMatchObject({ until: text(removed), object: { az: 'a' } });
  const statusOf = async (path: string) => (await inventory.request('GET', `/v1/as-of/${path}`)).status;
  expect(await statusOf(`node/${id}`)).toBe(404);
  expect(await statusOf(`service/${id}?removal=${removal}`)).toBe(404);
  expect(await statusOf(`node/${crypto.randomUUID()}?removal=${removal}`)).toBe(404);
  const { changes } = (await inventory.request('GET', `/v1/nodes/${other}/history`)).body;
  expect(await statusOf(`node/${id}?removal=${changes[0].change_id}`)).toBe(404);
});

test('a time before the oldest kept change is unknown', async () => {
  const start = now;
  const { node_id: id } = await addNode(inventory, { az: 'a' });
  for (const az of ['b', 'c']) {
    pass(1000);
    await change(`nodes/${id}`, { az });
  }
  pass(1000);
  // The record of the change to b is gone, as 30 days later, or after an import.
  const { changes } = (await inventory.request('GET', `/v1/nodes/${id}/history`)).body;
  const { client, name } = inventory.table;
  await client.send(new DeleteCommand({ TableName: name, Key: changeKey(changes[1].change_id) }));
  expect(await asOf('node', id, start + 1000)).toMatchObject({ presence: 'present', object: { az: 'b' } });
  expect(await asOf('node', id, start + 999)).toEqual({
    ...{ kind: 'node', id, time: text(start + 999) },
    ...{ presence: 'unknown', until: text(start + 1000) },
  });
  // The time of the add is in the object.
  expect(await asOf('node', id, start - 1)).toMatchObject({ presence: 'not_added', until: text(start) });

  setClock(start + 2000 + 30 * 86_400_000);
  expect(await asOf('node', id, start + 1999)).toMatchObject({ presence: 'present', object: { az: 'b' } });
  pass(1);
  expect(await asOf('node', id, start + 1999)).toMatchObject({ presence: 'unknown', until: text(start + 2000) });
  expect(await asOf('node', id, start + 2000)).toMatchObject({ presence: 'present', object: { az: 'c' } });
});

test('an imported object is absent before its import, whatever its own times', async () => {
  const object = {
    ...{ node_type: 'generic', node_id: crypto.randomUUID(), node_name: 'imported', address: 'i', custom_labels: {} },
    ...{ created_at: text(now - 5000), updated_at: text(now - 3000), revision: 7 },
  };
  await importLine('node', object);
  expect(await asOf('node', object.node_id, now - 1000)).toMatchObject({ presence: 'not_added', until: text(now) });
  expect(await asOf('node', object.node_id)).toMatchObject({ presence: 'present', object });
});

async function importLine(kind: string, object: object): Promise<void> {
  const lines = { body: toLines([{ kind, object }]), headers: { 'Content-Type': mediaTypes.ndjson } };
  const { status } = await inventory.request('POST', '/v1/import', { ...lines, as: 'Admin' });
  expect(status).toBe(200);
}

test('after more changes than a request reads, the earlier ones are unknown', async () => {
  const start = now;
  const { node_id: id } = await addNode(inventory);
  for (let count = 0; count <= MAX_CHANGES_AFTER; count += 1) {
    pass(1000);
    await change(`nodes/${id}`, { distro: String(count) });
  }
  expect(await asOf('node', id, start + 1000)).toMatchObject({ presence: 'present', object: { distro: '0' } });
  expect(await asOf('node', id, start + 999)).toMatchObject({ presence: 'unknown', until: text(start + 1000) });
});

test('the time of every change can be requested, also after the clock was set back', async () => {
  const { node_id: id } = await addNode(inventory, { az: 'a' });
  pass(-3_600_000);
  await change(`nodes/${id}`, { az: 'b' });
  const { changes } = (await inventory.request('GET', `/v1/nodes/${id}/history`)).body;
  const times: number[] = changes.map(({ time }: { time: string }) => Date.parse(time));
  expect(Math.min(...times)).toBeGreaterThan(now);
  for (const [index, az] of ['b', 'a'].entries())
    expect(await asOf('node', id, times[index])).toMatchObject({ presence: 'present', object: { az } });
  const later = `/v1/as-of/node/${id}?time=${text(Math.max(...times) + 1)}`;
  expect((await inventory.request('GET', later)).status).toBe(400);
  pass(2 * 3_600_000);
});

test.each([
  ['time=yesterday', 'time'],
  ['time=2999-01-01T00:00:00Z', 'time'],
  ['removal=CHANGE%23', 'removal'],
])('%s is refused', async (query, field) => {
  const { node_id: id } = await addNode(inventory);
  expect(await inventory.request('GET', `/v1/as-of/node/${id}?${query}`)).toMatchObject({
    status: 400,
    body: { details: [{ field }] },
  });
});

const value = fc.constantFrom('a', 'b', 'c');
const optional = fc.option(value);
const actions = fc.oneof(
  fc.record({ what: fc.constant('node' as const), az: optional, distro: optional, label: optional }),
  fc.record({ what: fc.constant('service' as const), cluster: optional, version: optional, onNode: fc.boolean() }),
  fc.record({ what: fc.constant('agent' as const), disabled: fc.boolean(), watches: fc.boolean() }),
  fc.record({ what: fc.constant('import' as const), region: value }),
  fc.record({ what: fc.constant('remove' as const), path: fc.constantFrom('nodes', 'services') }),
  fc.record({ what: fc.constant('restore' as const) }),
);
type Action = typeof actions extends fc.Arbitrary<infer One> ? One : never;

/** A node with a service and two agents. Every action takes a second. */
class World {
  readonly objects: { kind: string; path: string; id: string }[] = [];
  removals: any[] = [];

  async begin() {
    const { node_id: node } = await addNode(inventory);
    const { service_id: service } = await addService(inventory, { node_ids: [node] });
    const { agent_id: process } = await addAgent(inventory, { agent_type: 'pmm_agent', runs_on_node_id: node });
    const exporter = { agent_type: 'mysqld_exporter', pmm_agent_id: process };
    const { agent_id: agent } = await addAgent(inventory, { ...exporter, insights: { service_ids: [service] } });
    for (const [kind, id] of Object.entries({ node, service, agent }))
      this.objects.push({ kind, path: `/v1/${kind}s/${id}`, id });
    return { node, service, agent };
  }

  /** The objects as gets return them, without the states that these compute; undefined for a removed one. */
  snapshot() {
    return Promise.all(
      this.objects.map(async ({ path }) => {
        const { status, body } = await inventory.request('GET', path);
        const { state, ...object } = body;
        return status === 404 ? undefined : object;
      }),
    );
  }

  async perform(action: Action, ids: Awaited<ReturnType<World['begin']>>): Promise<void> {
    const patch = (kind: keyof typeof ids, body: object) => change(`${kind}s/${ids[kind]}`, body);
    if (action.what === 'node') {
      const { az, distro, label } = action;
      await patch('node', { az, distro, custom_labels: { label } });
    }
    if (action.what === 'service') {
      const { cluster, version, onNode } = action;
      await patch('service', { cluster, version, node_ids: onNode ? [ids.node] : [] });
    }
    if (action.what === 'agent') {
      const { disabled, watches } = action;
      await patch('agent', { disabled, insights: { service_ids: watches ? [ids.service] : [] } });
    }
    if (action.what === 'import') {
      const { status, body } = await inventory.request('GET', `/v1/nodes/${ids.node}`);
      const { state, ...object } = body;
      if (status === 200) await importLine('node', { ...object, region: action.region });
    }
    if (action.what === 'remove')
      await inventory.request(
        'DELETE',
        `/v1/${action.path}/${ids[action.path === 'nodes' ? 'node' : 'service']}?force=true`,
      );
    if (action.what === 'restore') {
      const removal = await this.lastRemoval();
      if (removal !== undefined) await inventory.request('POST', `/v1/removed/${removal.removal_id}/restore`);
    }
  }

  async lastRemoval() {
    const { removals } = (await inventory.request('GET', '/v1/removed')).body;
    return removals.find(({ objects }: any) =>
      objects.some(({ id }: any) => this.objects.some((object) => object.id === id)),
    );
  }
}

test('an unknown kind is refused by its name', async () => {
  const { node_id } = await addNode(inventory);
  const { status, body } = await inventory.request('GET', `/v1/as-of/cluster/${node_id}`);
  expect([status, body.details]).toEqual([400, [expect.objectContaining({ field: 'kind', reason: 'invalid_value' })]]);
});

test('after random changes, an object as of each time equals what a get returned then', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(actions, { minLength: 1, maxLength: 12 }), async (sequence) => {
      pass(10_000);
      const world = new World();
      const ids = await world.begin();
      const past = [{ from: now, objects: await world.snapshot() }];
      for (const action of sequence) {
        pass(1000);
        await world.perform(action, ids);
        past.push({ from: now, objects: await world.snapshot() });
      }
      pass(1000);
      const gone = await Promise.all(
        world.objects.map(async ({ id }, index) =>
          past.at(-1)!.objects[index] === undefined ? removalOf(id) : undefined,
        ),
      );
      for (const { from, objects } of past)
        // A change is later than those that it depends on, by a millisecond if the clock has not moved.
        for (const time of [from + 99, from + 999])
          for (const [index, { kind, id }] of world.objects.entries()) {
            const { presence, object } = await asOf(kind, id, time, gone[index]);
            const expected = objects[index];
            expect([presence, object]).toEqual([expected === undefined ? 'removed' : 'present', expected]);
          }
    }),
    { numRuns: inFull(100, 8) },
  );
});

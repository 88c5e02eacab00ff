import { BatchWriteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { growChangeShards, inEveryShard } from '../functions/store/history/change-shards.ts';
import { useAttributes } from '../functions/store/table/keys.ts';
import { ensureTable } from '../local/engine/table.ts';
import type { Item, Table } from '../shared/db/table.ts';
import { restoreInventory } from '../tools/restore-inventory.ts';
import { CHANGE } from './consistency/changes.ts';
import { checkInvariants, inventoryItems, REMOVAL, scan } from './consistency/invariants.ts';
import { addAgent, addHost, addNode, addService } from './support/add.ts';
import { ADMIN_PASSWORD, type Inventory, startInventory } from './support/inventory.ts';
import { testTime } from './support/test-time.ts';

let inventory: Inventory;
let backup: Table;

const byKey = (items: readonly Item[]) =>
  Object.fromEntries(items.map((item) => [`${String(item['pk'])} ${String(item['sk'])}`, item]));

/** Objects with all that is around them, their changes, and what was removed of them. */
const inventoryOf = (items: readonly Item[]) => [
  ...inventoryItems(items),
  ...items.filter(({ pk }) => [CHANGE, REMOVAL].some((record) => record.test(String(pk)))),
];

const inventoryIn = async (table: Table) => byKey(inventoryOf(await scan(table)));

const accessIn = async (table: Table) => {
  const items = await scan(table);
  const inventoryItems = new Set(inventoryOf(items));
  // A restoration gives the names back that were released since.
  return byKey(items.filter((item) => !inventoryItems.has(item) && !('released_at' in item)));
};

/** The items of API keys and enrolment tokens, without their use. */
const keysIn = async (table: Table) => {
  const isOfKey = ({ pk, kind }: Item) => /^(KEY|API_KEYS|ENROLMENT)/.test(String(pk)) && kind !== 'session';
  const unused = (item: Item) =>
    Object.fromEntries(Object.entries(item).filter(([name]) => !useAttributes.includes(name)));
  return byKey((await scan(table)).filter(isOfKey).map(unused));
};

/** What a backup is: every item as it is now. */
async function backUp(): Promise<void> {
  const items = await scan(inventory.table);
  for (let start = 0; start < items.length; start += 25) {
    const requests = items.slice(start, start + 25).map((Item) => ({ PutRequest: { Item } }));
    await backup.client.send(new BatchWriteCommand({ RequestItems: { [backup.name]: requests } }));
  }
}

let nodes: { node_id: string }[];
let keyId: string;

beforeEach(async () => {
  // As in the cloud. The items of one machine have seals.
  inventory = await startInventory();
  backup = { client: inventory.table.client, name: `${inventory.table.name}-backup` };
  await ensureTable(backup);
  const { nodeId, pmmAgentId } = await addHost(inventory);
  const labels = { cluster: 'c', custom_labels: { b: '2', a: '1' } };
  const { service_id: serviceId } = await addService(inventory, { node_ids: [nodeId], ...labels });
  const insights = { service_ids: [serviceId] };
  await addAgent(inventory, { agent_type: 'mysqld_exporter', pmm_agent_id: pmmAgentId, insights });
  // More than one batch of writes.
  nodes = await Promise.all(
    Array.from({ length: 12 }, (_, number) => addNode(inventory, { node_name: `n-${number}` })),
  );
  const { body } = await inventory.request('POST', '/v1/api-keys', { body: { name: 'leaked', role: 'Admin' } });
  keyId = body.key_id;
  await backUp();
  // What happens after the backup: objects go, change and come, and a key is taken away.
  await inventory.request('DELETE', `/v1/nodes/${nodeId}?force=true`);
  await inventory.request('PATCH', `/v1/nodes/${nodes[0]!.node_id}`, { body: { address: 'elsewhere' } });
  await addService(inventory, { node_ids: [nodes[1]!.node_id] });
  expect((await inventory.request('DELETE', `/v1/api-keys/${keyId}`)).status).toBe(204);
});
afterEach(() => inventory.stop());

describe('a restoration', () => {
  test('restores the sound inventory, and removes later objects', async () => {
    const done = await restoreInventory({ from: backup, to: inventory.table }, { apply: true });
    expect(await inventoryIn(inventory.table)).toEqual(await inventoryIn(backup));
    const read = (path: string) => inventory.request('GET', path);
    expect(await checkInvariants(inventory.table, { read })).toEqual([]);
    expect(Math.min(done.put, done.removed, done.same)).toBeGreaterThan(0);
    expect((await inventory.request('GET', `/v1/nodes/${nodes[0]!.node_id}`)).body.address).toBe('10.0.0.1');
  });

  test('keeps keys, accounts and secrets, so that a removed key stays removed', async () => {
    const before = await accessIn(inventory.table);
    expect(await accessIn(backup)).not.toEqual(before);
    await restoreInventory({ from: backup, to: inventory.table }, { apply: true });
    expect(await accessIn(inventory.table)).toEqual(before);
  });

  test('with keys restores API keys and enrolment tokens, removes later ones, and keeps sessions and the account', async () => {
    const statusFor = async (authorization: string) =>
      (await inventory.request('GET', '/v1/caller', { as: null, headers: { Authorization: authorization } })).status;
    const basic = `Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')}`;
    const openSession = async () => {
      const { body } = await inventory.request('POST', '/v1/sessions', { as: null, headers: { Authorization: basic } });
      return `Bearer ${body.key}`;
    };
    const before = await openSession();
    const kept = await inventory.request('POST', '/v1/api-keys', { body: { name: 'kept', role: 'Viewer' } });
    const rotated = await inventory.request('POST', `/v1/api-keys/${kept.body.key_id}/rotate`, {
      body: { overlap: '1h' },
    });
    const { body: token } = await inventory.request('POST', '/v1/enrolment-tokens', { body: { name: 'hosts' } });
    backup = { ...backup, name: `${backup.name}-keys` };
    await ensureTable(backup);
    await backUp();
    await inventory.request('DELETE', `/v1/api-keys/${kept.body.key_id}`);
    await inventory.request('DELETE', `/v1/enrolment-tokens/${token.token_id}`);
    const since = await inventory.request('POST', '/v1/api-keys', { body: { name: 'since', role: 'Viewer' } });
    const after = await openSession();
    await restoreInventory({ from: backup, to: inventory.table }, { apply: true, withKeys: true });
    const keys = [kept.body.key, rotated.body.key, since.body.key].map((key: string) => `Bearer ${key}`);
    expect(await Promise.all(keys.map(statusFor))).toEqual([200, 200, 401]);
    expect(await Promise.all([before, after, basic].map(statusFor))).toEqual([200, 200, 200]);
    expect(await keysIn(inventory.table)).toEqual(await keysIn(backup));
    const node = { node_type: 'generic', node_name: 'enrolled', address: '10.0.0.9' };
    const enrolled = await inventory.request('POST', '/v1/enrolment', {
      ...{ as: null, sourceIp: node.address },
      body: { token: token.token, node },
    });
    expect(enrolled.status).toBe(201);
  });

  test("gives the table the other one's change partitions, and never fewer", async () => {
    const shards = async (table: Table) => (await inEveryShard(table, () => Promise.resolve())).length;
    await growChangeShards(backup, 8, testTime());
    await restoreInventory({ from: backup, to: inventory.table }, { apply: true, clock: testTime });
    expect(await shards(inventory.table)).toBe(8);
    await growChangeShards(inventory.table, 9, testTime(3_600_000));
    await restoreInventory({ from: backup, to: inventory.table }, { apply: true, clock: testTime });
    expect(await shards(inventory.table)).toBe(9);
  });

  test('is completed by the same call after an interruption, and then does nothing', async () => {
    let writes = 1;
    const client = new Proxy(inventory.table.client, {
      get: (target, name) =>
        name !== 'send'
          ? Reflect.get(target, name)
          : (command: never) => {
              if ((command as object) instanceof BatchWriteCommand && (writes -= 1) < 0) throw new Error('killed');
              return target.send(command);
            },
    });
    const to = { ...inventory.table, client };
    await expect(restoreInventory({ from: backup, to }, { apply: true })).rejects.toThrow('killed');
    expect(await inventoryIn(inventory.table)).not.toEqual(await inventoryIn(backup));
    await restoreInventory({ from: backup, to: inventory.table }, { apply: true });
    expect(await inventoryIn(inventory.table)).toEqual(await inventoryIn(backup));
    const again = await restoreInventory({ from: backup, to: inventory.table }, { apply: true });
    expect(again).toEqual({ put: 0, removed: 0, same: Object.keys(await inventoryIn(backup)).length });
  });

  test('reads a table of several pages', async () => {
    const client = new Proxy(backup.client, {
      get: (target, name) =>
        name !== 'send'
          ? Reflect.get(target, name)
          : (command: never) => {
              const sent: object = command;
              if (sent instanceof ScanCommand) sent.input.Limit = 7;
              return target.send(command);
            },
    });
    await restoreInventory({ from: { ...backup, client }, to: inventory.table }, { apply: true });
    expect(await inventoryIn(inventory.table)).toEqual(await inventoryIn(backup));
  });

  test('repeats items that a busy table refused', async () => {
    const refused = { count: 0 };
    const client = new Proxy(inventory.table.client, {
      get: (target, name) =>
        name !== 'send'
          ? Reflect.get(target, name)
          : (command: never) => {
              const sent: object = command;
              if (!(sent instanceof BatchWriteCommand) || refused.count === 3) return target.send(command);
              refused.count += 1;
              return Promise.resolve({ UnprocessedItems: sent.input.RequestItems });
            },
    });
    const to = { ...inventory.table, client };
    await restoreInventory({ from: backup, to }, { apply: true });
    expect(refused.count).toBe(3);
    expect(await inventoryIn(inventory.table)).toEqual(await inventoryIn(backup));
  });

  test('without `apply` counts its effects, and writes nothing', async () => {
    const before = byKey(await scan(inventory.table));
    const planned = await restoreInventory({ from: backup, to: inventory.table }, { apply: false });
    expect(byKey(await scan(inventory.table))).toEqual(before);
    expect(await restoreInventory({ from: backup, to: inventory.table }, { apply: true })).toEqual(planned);
  });

  test('from a table without an inventory, or from itself, is refused and removes nothing', async () => {
    const empty = { ...backup, name: `${backup.name}-empty` };
    await ensureTable(empty);
    const before = byKey(await scan(inventory.table));
    const { table } = inventory;
    await expect(restoreInventory({ from: empty, to: table }, { apply: true })).rejects.toThrow('no inventory');
    await expect(restoreInventory({ from: table, to: table }, { apply: true })).rejects.toThrow('must be different');
    expect(byKey(await scan(table))).toEqual(before);
  });
});

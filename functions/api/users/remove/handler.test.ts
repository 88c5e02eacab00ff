import { scan } from '../../../../tests/consistency/invariants.ts';
import type { Inventory } from '../../../../tests/support/inventory.ts';
import { askWith } from '../../../../tests/support/log-in.ts';
import { putItem } from '../../../../tests/support/table.ts';
import { accepted, setPassword, startWithUsers } from '../../../../tests/support/users.ts';
import { savedFilterKey } from '../../../store/table/keys.ts';

let inventory: Inventory;
beforeAll(async () => (inventory = await startWithUsers('maria', 'paul')));
afterAll(() => inventory.stop());

test('a removed user is not listed, and a second removal is a 404', async () => {
  expect((await inventory.request('DELETE', '/v1/users/maria')).status).toBe(204);
  expect((await inventory.request('DELETE', '/v1/users/maria')).status).toBe(404);
  const { body } = await inventory.request('GET', '/v1/users');
  expect(body.users.map(({ user_id: id }: any) => id)).toEqual(['paul']);
  const { body: audit } = await inventory.request('GET', '/v1/audit?event=user.removed');
  expect(audit.entries).toHaveLength(1);
});

describe('the private saved filters of a removed user', () => {
  const add = (key: string, name: string, shared = false) =>
    askWith(inventory, key, 'POST', '/v1/saved-filters', {
      name,
      list: 'nodes',
      parameters: { state: 'offline' },
      shared,
    });
  const pin = (key: string, id: string) =>
    askWith(inventory, key, 'PATCH', `/v1/saved-filters/${id}`, { pinned: true });
  const filtersOf = async (key: string) =>
    (await askWith(inventory, key, 'GET', '/v1/saved-filters')).body.saved_filters;
  /** Another user with the name of a removed one. */
  async function successorOf(name: string): Promise<string> {
    expect((await inventory.request('DELETE', `/v1/users/${name}`)).status).toBe(204);
    await inventory.request('POST', '/v1/users', { body: { user_name: name, role: 'Editor' } });
    return setPassword(inventory, name);
  }

  test('are invisible to a later user of that name; shared filters and those of others stay', async () => {
    const [user, other] = [await accepted(inventory), await accepted(inventory)];
    const { body: ownFilter } = await add(user.key, 'own');
    const { body: shared } = await add(user.key, 'shared', true);
    for (const { saved_filter_id: id } of [ownFilter, shared]) expect((await pin(user.key, id)).status).toBe(200);
    await add(other.key, 'own');
    const later = await filtersOf(await successorOf(user.user_name));
    expect(later.map(({ name, pinned }: any) => [name, pinned])).toEqual([['shared', false]]);
    expect((await filtersOf(other.key)).map(({ name }: any) => name)).toEqual(['own', 'shared']);
  });

  test('are removed also when they exceed one transaction', async () => {
    const { user_name, key } = await accepted(inventory);
    expect((await add(key, 'mine')).status).toBe(201);
    const mine = (await scan(inventory.table)).find(({ name, shared }) => name === 'mine' && shared === false)!;
    // Simultaneous requests can exceed the limit of a person.
    const { owner, list } = mine as { owner: string; list: 'nodes' };
    for (let count = 0; count < 130; count += 1) {
      const name = `mine ${count}`;
      await putItem(inventory.table, { ...mine, name, ...savedFilterKey(owner, list, name) });
    }
    expect((await filtersOf(key)).filter(({ shared }: any) => !shared)).toHaveLength(131);
    const later = await filtersOf(await successorOf(user_name));
    expect(later.filter(({ shared }: any) => !shared)).toEqual([]);
  });
});

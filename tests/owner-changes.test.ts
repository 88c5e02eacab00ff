/** Editors with owners, while others change the owner of the same object at the same time. */
import { type Inventory, startInventory } from './support/inventory.ts';
import { addNode } from './support/add.ts';
import { addLimitedKey, type LimitedKey } from './support/teams.ts';

const ROUNDS = 25;

let inventory: Inventory;
let both: LimitedKey;
let teams: Readonly<Record<'a' | 'b', LimitedKey>>;
beforeAll(async () => {
  inventory = await startInventory();
  both = await addLimitedKey(inventory, ['a', 'b']);
  teams = { a: await addLimitedKey(inventory, ['a']), b: await addLimitedKey(inventory, ['b']) };
});
afterAll(() => inventory.stop());

test('no editor changes an object that another one has just given to another team', async () => {
  const { node_id: id } = await addNode(inventory, { custom_labels: { team: 'a' } });
  const path = `/v1/nodes/${id}`;
  const statuses: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const team = round % 2 === 0 ? 'b' : 'a';
    const replies = await Promise.all([
      teams.a.request('PATCH', path, { region: `a-${round}` }),
      both.request('PATCH', path, { custom_labels: { team } }),
      teams.b.request('PATCH', path, { region: `b-${round}` }),
    ]);
    statuses.push(...replies.map(({ status }) => status));
  }
  expect(new Set(statuses)).toEqual(new Set([200, 403]));
  // From the first change on: the owner before and after each one.
  const changes: any[] = [];
  for (let token: string | undefined = ''; token !== undefined;) {
    const query = new URLSearchParams({ page_size: '50', ...(token === '' ? {} : { page_token: token }) });
    const { body } = await inventory.request('GET', `${path}/history?${query.toString()}`);
    changes.push(...body.changes);
    token = body.next_page_token;
  }
  expect(changes.length).toBeGreaterThan(ROUNDS);
  const owners = new Map<string, string>([
    [teams.a.name, 'a'],
    [teams.b.name, 'b'],
  ]);
  const actors = new Set(changes.map(({ actor }) => actor.name));
  expect([...owners.keys()].filter((name) => !actors.has(name))).toEqual([]);
  let owner: string | undefined;
  for (const { actor, after } of changes.toReversed()) {
    const next: string | undefined = after?.custom_labels?.team ?? owner;
    const limit = owners.get(actor.name);
    if (limit !== undefined) expect([actor.name, owner, next]).toEqual([actor.name, limit, limit]);
    owner = next;
  }
});

/** Editors with owners, while others change the owner of the same object at the same time. */
import { type Inventory, startInventory } from './support/inventory.ts';
import { addNode } from './support/add.ts';
import { addLimitedKey, type LimitedKey } from './support/teams.ts';

const MIN_ROUNDS = 25;

/** Of three simultaneous changes, any may be the first: rounds are added until a change of each team was. */
const MAX_ROUNDS = 300;

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
  const successful = new Set<string>();
  let round = 0;
  for (; round < MIN_ROUNDS || (successful.size < 2 && round < MAX_ROUNDS); round += 1) {
    const team = round % 2 === 0 ? 'b' : 'a';
    const change = async (name: 'a' | 'b') => {
      const { status } = await teams[name].request('PATCH', path, { region: `${name}-${round}` });
      if (status === 200) successful.add(name);
      return status;
    };
    const giveAway = async () => (await both.request('PATCH', path, { custom_labels: { team } })).status;
    // The order in which they start decides most rounds of a quiet machine.
    const requests = [() => change('a'), giveAway, () => change('b')];
    const inTurn = [...requests.slice(round % 3), ...requests.slice(0, round % 3)];
    statuses.push(...(await Promise.all(inTurn.map((send) => send()))));
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
  expect(changes.length).toBeGreaterThan(round);
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

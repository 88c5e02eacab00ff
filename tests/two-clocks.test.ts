import { createGateway } from '../local/gateway/gateway.ts';
import { loadFunctions } from '../local/gateway/functions.ts';
import type { Table } from '../shared/db/table.ts';
import { checkInvariants } from './consistency/invariants.ts';
import { call } from './support/every-kind-of-item.ts';
import { type Inventory, startInventory } from './support/inventory.ts';
import { testTime } from './support/test-time.ts';

// Two cloud functions have separate clocks, and know each other's changes by the table only.

const SKEW_MS = 50;

type Ask = (method: string, path: string, body?: unknown) => Promise<any>;

let inventory: Inventory;
let ahead: Ask;
let behind: Ask;
let elapsed = 0;

/** The value with another name of the table, in texts and in names of fields. */
function renamed(value: unknown, from: string, to: string): unknown {
  if (value === from) return to;
  if (Array.isArray(value)) return value.map((item) => renamed(item, from, to));
  if (Object.getPrototypeOf(value ?? 0) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value as object).map(([name, inner]) => [name === from ? to : name, renamed(inner, from, to)]),
  );
}

/** The same table under another name: a process knows times of changes by table name. */
function otherProcess(table: Table): Table {
  const name = `${table.name}-again`;
  const send = async (command: any) => {
    const ownCommand = Object.assign(Object.create(Object.getPrototypeOf(command) as object) as object, command, {
      input: renamed(command.input, name, table.name),
    });
    return renamed(await table.client.send(ownCommand), table.name, name);
  };
  return { ...table, name, client: { send } as unknown as Table['client'] };
}

/** A function with this clock. Each call takes 5 ms. */
async function functionAt(skew: number, table: Table): Promise<Ask> {
  const clock = () => testTime(elapsed + skew);
  const functions = await loadFunctions({ ...inventory.dependencies, clock, table });
  const gateway = createGateway(functions);
  return async (method, path, body) => {
    elapsed += 5;
    const { status, body: reply, text } = await call({ ...inventory, gateway }, method, path, body);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return reply;
  };
}

beforeAll(async () => {
  inventory = await startInventory({ clock: () => testTime(elapsed) });
  ahead = await functionAt(SKEW_MS, inventory.table);
  behind = await functionAt(-SKEW_MS, otherProcess(inventory.table));
  // Each process has read the latest change before its first one.
  for (const ask of [ahead, behind])
    await ask('POST', '/v1/nodes', { node_type: 'generic', node_name: String(elapsed), address: 'a' });
  elapsed += 1000;
});
afterAll(async () => {
  const broken = await checkInvariants(inventory.table);
  await inventory.stop();
  expect(broken).toEqual([]);
});

const bodies = {
  nodes: (name: string) => ({ node_type: 'generic', node_name: name, address: 'a' }),
  services: (name: string) => ({ service_type: 'haproxy', service_name: name }),
};

/** All changes since a cursor. */
async function follow(since: string): Promise<any[]> {
  const changes: any[] = [];
  for (let cursor = since; ;) {
    const page = await ahead('GET', `/v1/changes?since=${encodeURIComponent(cursor)}`);
    if (page.changes.length === 0) return changes;
    changes.push(...page.changes);
    cursor = page.next;
  }
}

describe.each([
  ['nodes', 'node'],
  ['services', 'service'],
] as const)('a name of %s that two functions remove and add again', (list, kind) => {
  const add: Record<string, (ask: Ask, name: string) => Promise<any>> = {
    POST: (ask, name) => ask('POST', `/v1/${list}`, bodies[list](name)),
    PUT: (ask, name) =>
      ask('PUT', `/v1/${list}/by-name/${name}`, { ...bodies[list](name), [`${kind}_name`]: undefined }),
    batch: async (ask, name) => {
      const op = kind === 'node' ? 'addNode' : 'addService';
      return (await ask('POST', '/v1/batch', { operations: [{ op, body: bodies[list](name) }] })).results[0].body;
    },
  };

  test.each(Object.keys(add))('by %s: a follower by name, and one by id, have the present objects', async (how) => {
    const name = `again-${kind}-${how}`;
    const { next: since } = await ahead('GET', '/v1/changes?since=now');
    const ids: string[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      const [first, second] = turn % 2 === 0 ? [ahead, behind] : [behind, ahead];
      const { [`${kind}_id`]: id } = await add[how]!(first, name);
      ids.push(id);
      if (turn < 5) await (turn % 3 === 0 ? first : second)('DELETE', `/v1/${list}/${id}`);
    }
    const changes = (await follow(since)).filter(({ id }) => ids.includes(id));
    expect(changes.map(({ id, action }) => [action, ids.indexOf(id)])).toEqual(
      ids.flatMap((_, index) => [['added', index], ...(index < 5 ? [['removed', index]] : [])]),
    );
    expect(changes.map(({ time }) => time)).toEqual(changes.map(({ time }) => time).toSorted());
    const byName = new Map<string, string>();
    for (const { action, id, before, after } of changes) {
      if (action === 'added') byName.set(after[`${kind}_name`], id);
      if (action === 'removed') byName.delete(before[`${kind}_name`]);
    }
    expect([...byName]).toEqual([[name, ids.at(-1)]]);
    // At each time at most one object had the name.
    for (const [index, { action, time, id }] of changes.entries()) {
      const removalOf = (objectId: string) =>
        changes.find((other) => other.id === objectId && other.action === 'removed')?.change_id;
      const presences = await Promise.all(
        ids.map(async (objectId) => {
          const removal = removalOf(objectId);
          const query = removal === undefined ? '' : `&removal=${removal}`;
          return (await ahead('GET', `/v1/as-of/${kind}/${objectId}?time=${time}${query}`)).presence as string;
        }),
      );
      expect([index, presences.filter((presence) => presence === 'present').length]).toEqual([
        index,
        action === 'added' ? 1 : 0,
      ]);
      if (action === 'added') expect(presences[ids.indexOf(id)]).toBe('present');
    }
    const { changes: history } = await ahead('GET', `/v1/${list}/${ids.at(-1)}/history`);
    expect(history).toHaveLength(1);
  });
});

/** Random writes of an Editor with owners, while an Admin gives objects to other teams, and the engine is killed. */
import { randomUUID } from 'node:crypto';
import { processClock } from '../../shared/core/monotonic-clock.ts';
import { checkInvariants } from '../consistency/invariants.ts';
import { countFrom, type Random } from '../consistency/random.ts';
import { runningFromTestTime } from '../support/test-time.ts';
import { addLimitedKey, type LimitedKey } from '../support/teams.ts';
import { type FaultyInventory, startFaultyInventory } from './faulty-inventory.ts';

const WRITES = countFrom('WRITES', 20_000);
const SEED = countFrom('SEED', 1);
const KILLS = 8;
const WORKERS = 8;

/** The newest objects: the others are rarely met by two writers at once. */
const MAX_KNOWN = 40;

let inventory: FaultyInventory;
let team: LimitedKey;
beforeAll(async () => {
  inventory = await startFaultyInventory(SEED, processClock, runningFromTestTime(processClock));
  team = await addLimitedKey(inventory, ['a']);
});
afterAll(() => inventory.stop());

interface WrittenObject {
  path: string;
  node?: string;
}

const writtenObjects: WrittenObject[] = [];
const keys: string[] = [];

const labelled = (random: Random) => {
  const owner = [undefined, 'a', 'a', 'b'][random.below(4)];
  return owner === undefined ? {} : { custom_labels: { team: owner } };
};

function remember({ status, body }: { status: number; body: any }): void {
  if (status !== 201) return;
  if (body.service_id !== undefined) writtenObjects.push({ path: `/v1/services/${body.service_id}` });
  else if (body.node_id !== undefined) writtenObjects.push({ path: `/v1/nodes/${body.node_id}`, node: body.node_id });
  if (writtenObjects.length > MAX_KNOWN) writtenObjects.shift();
}

const nodeBody = (more: object = {}) => ({
  node_type: 'generic',
  node_name: randomUUID(),
  address: '10.0.0.1',
  ...more,
});

const any = (random: Random): WrittenObject | undefined =>
  writtenObjects[random.below(Math.max(1, writtenObjects.length))];

/** One write of the team, as it comes. */
async function write(random: Random): Promise<number> {
  const object = any(random);
  const node = writtenObjects.filter((written) => written.node !== undefined)[random.below(10)]?.node;
  const send = async (method: string, path: string, body?: unknown) => {
    const reply = await team.request(method, path, body);
    remember(reply);
    return reply.status;
  };
  switch (random.below(10)) {
    case 0:
    case 1:
      return send('POST', '/v1/nodes', nodeBody(labelled(random)));
    case 2:
      return send('POST', '/v1/services', {
        ...{ service_type: 'mysql', service_name: randomUUID(), address: '10.0.0.1', port: 3306 },
        node_ids: node === undefined ? [] : [node],
        ...labelled(random),
      });
    case 3:
      return object === undefined ? 0 : send('DELETE', `${object.path}?force=true`);
    case 4:
      return send('POST', '/v1/batch', {
        operations: [1, 2, 3].map(() => ({ op: 'addNode', body: nodeBody(labelled(random)) })),
      });
    case 5:
      return send('POST', '/v1/inventory/nodes', { generic: { node_name: randomUUID(), address: '10.0.0.1' } });
    case 6: {
      const prefix = `r${random.below(3)}-`;
      return send('POST', '/v1/reconcile', {
        mode: 'apply',
        scope: { name_prefix: prefix },
        desired: { nodes: [nodeBody({ node_name: `${prefix}${random.below(20)}` })] },
        max_removals_percent: 100,
      });
    }
    case 7: {
      const reply = await team.request('POST', '/v1/api-keys', {
        ...{ name: randomUUID(), role: 'Editor', time_to_live: '1h' },
        owners: [['a'], ['a', 'b'], ['b']][random.below(3)],
      });
      if (reply.status === 201) keys.push(JSON.stringify(reply.body.owners));
      if (reply.status === 201) await team.request('DELETE', `/v1/api-keys/${reply.body.key_id}`);
      return reply.status;
    }
    default:
      return object === undefined ? 0 : send('PATCH', object.path, { address: '10.0.0.2', ...labelled(random) });
  }
}

/** Gives a random object to another team. */
async function giveAway(random: Random): Promise<void> {
  const object = any(random);
  if (object === undefined) return;
  const custom_labels = { team: random.below(2) === 0 ? 'a' : 'b' };
  await inventory.request('PATCH', object.path, { body: { custom_labels } });
}

/** The changes by the team of objects that had another owner before or after it. */
async function foreignChanges(): Promise<{ checked: number; foreign: unknown[] }> {
  const owners = new Map<string, string | undefined>();
  const foreign: unknown[] = [];
  // The feed repeats its newest changes.
  const seen = new Set<string>();
  let checked = 0;
  for (let since = '', hasMore = true; hasMore;) {
    const query = new URLSearchParams({ limit: '1000', ...(since === '' ? {} : { since }) });
    const { body } = await inventory.request('GET', `/v1/changes?${query.toString()}`);
    for (const change of body.changes) {
      if (seen.has(change.change_id)) continue;
      seen.add(change.change_id);
      const { id, action, actor, before, after } = change;
      const previous = action === 'removed' ? before.custom_labels.team : owners.get(id);
      const next = after?.custom_labels === undefined ? previous : after.custom_labels.team;
      const present = action === 'added' ? next : previous;
      if (actor.name === team.name) {
        checked += 1;
        if (present !== 'a' || next !== 'a') foreign.push({ present, next, change });
      }
      owners.set(id, next);
    }
    hasMore = body.more;
    since = body.next;
  }
  return { checked, foreign };
}

test(`${WRITES} random writes of a team change no object of another team (SEED=${SEED})`, async () => {
  const statuses = new Map<number, number>();
  let left = WRITES;
  const work = async (random: Random) => {
    while (left > 0) {
      left -= 1;
      const status = await write(random);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (random.below(4) === 0) await giveAway(random);
      if (random.below(50) === 0) inventory.newInstances();
    }
  };
  const kill = async () => {
    for (let count = 1; count <= KILLS; count += 1) {
      const at = WRITES - (WRITES / (KILLS + 1)) * count;
      while (left > at) await new Promise((resolve) => setTimeout(resolve, 20));
      await inventory.killEngine();
      await inventory.restartEngine();
    }
  };
  await Promise.all([kill(), ...Array.from({ length: WORKERS }, () => work(inventory.random.fork()))]);
  expect(inventory.restarts()).toBe(KILLS);
  const { checked, foreign } = await foreignChanges();
  expect(foreign).toEqual([]);
  expect(checked).toBeGreaterThan(WRITES / 10);
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 201, 204, 403]));
  expect(new Set(keys)).toEqual(new Set(['["a"]']));
  expect(await checkInvariants(inventory.table, { inProgress: true })).toEqual([]);
}, 3_600_000);

/**
 * The table stalls in the middle of an apply: a transaction has no reply, and takes effect after the next plan was read.
 * All ways to apply a desired state find their own writes, and end without a failed item.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { provideFleet } from '../../clients/cdk/src/fleet.ts';
import { createClient } from '../../clients/typescript/src/client.ts';
import { applyPlan, planScope } from '../../clients/typescript/src/flows.ts';
import type { Client, ReconcilePlan } from '../../clients/typescript/src/index.ts';
import { OutcomeUnknown } from '../../shared/db/contention.ts';
import type { Table } from '../../shared/db/table.ts';
import { ADDRESS, type CommandLine, startCommandLine } from '../cli/command.ts';
import { checkInvariants } from '../consistency/invariants.ts';

/** Which transactions are late, by their number from 0 since the last reset. */
let isLate: (number: number) => boolean;
let transactions: number;
/** Transactions without a reply that have not taken effect. */
let held: (() => Promise<unknown>)[];
/** Whether a plan was read since the last one was held. */
let isPlanned: boolean;
let arriving: Promise<unknown>;
/** What happens before the transaction with this number, once. */
let meanwhile: { before: number; work: () => Promise<unknown> } | undefined;

function stalling({ name, client }: Table): Table {
  const send = async (command: any) => {
    const kind: string = command.constructor.name;
    if (kind === 'QueryCommand') isPlanned ||= held.length > 0;
    if (kind !== 'TransactWriteCommand') return client.send(command);
    if (isPlanned) {
      const late = held.splice(0);
      isPlanned = false;
      // A transaction that is refused in the end is no error for anybody.
      arriving = Promise.allSettled(late.map((arrive) => arrive()));
    }
    await arriving;
    const number = transactions;
    transactions += 1;
    if (number === meanwhile?.before) await meanwhile.work();
    if (!isLate(number)) return client.send(command);
    held.push(() => client.send(command));
    throw new OutcomeUnknown(new Error('the table stalls'));
  };
  return { name, client: { send } as unknown as Table['client'] };
}

function reset(late: (number: number) => boolean): void {
  [isLate, transactions, held, isPlanned, arriving] = [late, 0, [], false, Promise.resolve()];
  meanwhile = undefined;
}

let line: CommandLine;
let client: Client;
beforeAll(async () => {
  reset(() => false);
  line = await startCommandLine({ table: stalling });
  client = createClient({ url: ADDRESS, key: line.inventory.keys.Admin, attempts: 1, fetch: line.fetch });
});
afterAll(() => line.stop());
afterEach(async () => expect(await checkInvariants(line.inventory.table)).toEqual([]));

interface Fleet {
  scope: { selector: string };
  max_removals_percent: number;
  desired: { nodes: object[]; services: object[]; agents: object[] };
}

const fleetOf = (name: string, desired: (label: object) => Fleet['desired']): Fleet => ({
  scope: { selector: `fleet=${name}` },
  max_removals_percent: 100,
  desired: desired({ custom_labels: { fleet: name } }),
});

/** Makes the bodies of nodes and services whose names begin with that of the fleet. */
const bodiesOf = (name: string, port: number, label: object) => ({
  node: (suffix: string, more: object) => ({
    ...{ node_type: 'container', node_name: `${name}-${suffix}`, address: `${suffix}.${name}.example`, ...label },
    ...more,
  }),
  service: (suffix: string, node_names: string[]) => ({
    ...{ service_type: 'mysql', service_name: `${name}-${suffix}`, node_names, address: 'db.example', port },
    ...label,
  }),
});

/** Each kind of object, with each unique value. */
const before = (name: string) =>
  fleetOf(name, (label) => {
    const { node, service } = bodiesOf(name, 3306, label);
    return {
      nodes: [
        node('moved', { region: 'eu' }),
        node('left', { container_id: `${name}-1` }),
        node('right', { container_id: `${name}-2` }),
        node('old', { region: 'eu', address: `shared.${name}.example` }),
      ],
      services: [service('kept', [`${name}-moved`]), service('gone', [`${name}-left`])],
      agents: [
        { agent_type: 'pmm_agent', runs_on_node_name: `${name}-moved` },
        {
          ...{ agent_type: 'mysqld_exporter', runs_on_node_name: `${name}-moved` },
          insights: { service_names: [`${name}-kept`] },
        },
        { agent_type: 'pmm_agent', runs_on_node_name: `${name}-old` },
      ],
    };
  });

/** Adds, changes and removals of each kind; values are moved, swapped, and taken over from a removed object. */
const after = (name: string) =>
  fleetOf(name, (label) => {
    const { node, service } = bodiesOf(name, 3307, label);
    return {
      nodes: [
        node('moved', { region: 'us', container_id: `${name}-3` }),
        node('left', { container_id: `${name}-2` }),
        node('right', { container_id: `${name}-1` }),
        node('new', { region: 'eu', address: `shared.${name}.example` }),
      ],
      services: [service('kept', [`${name}-new`]), service('added', [`${name}-moved`])],
      agents: [
        { agent_type: 'pmm_agent', runs_on_node_name: `${name}-new` },
        {
          ...{ agent_type: 'mysqld_exporter', runs_on_node_name: `${name}-new` },
          insights: { service_names: [`${name}-kept`, `${name}-added`] },
        },
        { agent_type: 'pmm_agent', runs_on_node_name: `${name}-moved`, custom_labels: { a: 'b' } },
      ],
    };
  });

const send = async (body: object) => line.inventory.request('POST', '/v1/reconcile', { body });

/** Repeats a request as clients do, until nothing remains. No reply may have a failed item: a later one does not show it. */
async function insist(body: object): Promise<ReconcilePlan> {
  for (let requests = 0; requests < 8; requests += 1) {
    const reply = await send(body);
    if (reply.body.progress?.failed > 0) throw new Error(reply.text);
    if (reply.status === 200) return reply.body;
    if (reply.status !== 202 && reply.status !== 503) throw new Error(reply.text);
  }
  throw new Error('not done in 8 requests');
}

const fileOf = async ({ desired, scope, ...limits }: Fleet, name: string) => {
  const path = join(line.home, `${name}.json`);
  await writeFile(path, JSON.stringify({ scope: { ...scope, ...limits }, ...desired }));
  return path;
};

/** Runs a command that must succeed. */
async function run(...args: string[]): Promise<undefined> {
  const { code, err } = await line.inventoryCommand(args);
  expect([args, code, err.split('\n').filter((text) => text.includes('exists'))]).toEqual([args, 0, []]);
  return undefined;
}

/** The ways to apply a desired state. The key is the name; each works in two steps: before and after the table stalls. */
const ways: Record<string, (fleet: Fleet, name: string) => Promise<() => Promise<ReconcilePlan | undefined>>> = {
  'one request': (fleet) => Promise.resolve(() => insist({ ...fleet, mode: 'apply' })),
  // As the scope of Ansible does.
  'a plan by its id': async (fleet) => {
    const { plan_id } = (await send({ ...fleet, mode: 'plan' })).body;
    return () => insist({ mode: 'apply', plan_id });
  },
  // As the scope of Terraform does.
  'a plan by its digest': async (fleet) => {
    const { plan_digest } = (await send({ ...fleet, mode: 'plan' })).body;
    return () => insist({ ...fleet, mode: 'apply', plan_digest });
  },
  'applyPlan of the TypeScript client': async (fleet) => {
    const plan = await planScope(client, fleet as any);
    return async () => {
      let last: ReconcilePlan | undefined;
      for await (last of applyPlan(client, plan));
      return last;
    };
  },
  InventoryFleet: (state) => {
    const signal = new AbortController().signal;
    const request = { state, existing: 'adopt', owner: 'o', signal } as const;
    return Promise.resolve(() => provideFleet(client, request, false).then(() => undefined));
  },
  'inventory apply': async (fleet, name) => {
    const path = await fileOf(fleet, name);
    return () => run('apply', '-f', path, '-y');
  },
  'inventory apply of a reviewed plan': async (fleet, name) => {
    const [path, planned] = [await fileOf(fleet, name), join(line.home, `${name}.plan.json`)];
    await line.inventoryCommand(['plan', '-f', path, '--out', planned]);
    return () => run('apply', planned);
  },
};

/** Applies the desired state while the table stalls. @returns the number of transactions, and the last progress. */
async function applyLate(way: string, name: string, late: (number: number) => boolean) {
  await insist({ ...before(name), mode: 'apply' });
  const apply = await ways[way]!(after(name), name);
  reset(late);
  const last = await apply();
  const count = transactions;
  reset(() => false);
  const replanned = (await send({ ...after(name), mode: 'plan' })).body;
  expect([name, replanned]).toEqual([name, expect.objectContaining({ items: [], unchanged: 9 })]);
  return { count, progress: last?.progress };
}

/** Nothing failed, and nothing is said to be another request's. */
function expectAllDone({ progress }: Awaited<ReturnType<typeof applyLate>>): void {
  if (progress !== undefined) expect(progress).toEqual({ ...progress, done: progress.total, failed: 0, skipped: 0 });
}

describe.each(Object.keys(ways))('%s ends as without a stalled table', (way) => {
  const prefix = `w${Object.keys(ways).indexOf(way)}`;

  test('when any single transaction is late', async () => {
    const { count } = await applyLate(way, `${prefix}-none`, () => false);
    expect(count).toBeGreaterThan(8);
    for (let number = 0; number < count; number += 1)
      expectAllDone(await applyLate(way, `${prefix}-${number}`, (writeIndex) => writeIndex === number));
  });

  test('when every second transaction is late', async () => {
    expectAllDone(await applyLate(way, `${prefix}-even`, (writeIndex) => writeIndex % 2 === 0));
    expectAllDone(await applyLate(way, `${prefix}-odd`, (writeIndex) => writeIndex % 2 === 1));
  });
});

test.each(['one request', 'a plan by its id', 'a plan by its digest'])(
  '%s: no item fails when no transaction of its first request has a reply',
  async (way) => {
    await applyLate(way, `all-${Object.keys(ways).indexOf(way)}`, (writeIndex) => writeIndex < 10);
  },
);

// A job continues while the request waits for it.
test.each([0, 1, 2, 3, 4, 5, 6, 7])(
  'two requests that apply one plan at the same time fail no item of each other, the second one beginning before transaction %d',
  async (number) => {
    const name = `twice-${number}`;
    await insist({ ...before(name), mode: 'apply' });
    const { plan_id } = (await send({ ...after(name), mode: 'plan' })).body;
    const apply = () => insist({ mode: 'apply', plan_id });
    reset(() => false);
    meanwhile = { before: number, work: apply };
    await apply();
    expect((await send({ ...after(name), mode: 'plan' })).body).toMatchObject({ items: [], unchanged: 9 });
  },
);

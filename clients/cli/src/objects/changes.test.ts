import { randomUUID } from 'node:crypto';
import { commandCall } from '../../../../tests/support/command-call.ts';
import type { Change } from '../../../typescript/src/generated/types.ts';
import { changeLayout, changeRows } from './changes.ts';

const [db1, db2, orders, exporter] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
const agent = {
  ...{ agent_id: exporter, agent_type: 'mysqld_exporter', runs_on_node_id: db1 },
  insights: { node_ids: [], service_ids: [orders] },
};

/** Shows changes, with a server of two nodes, a service and its exporter. */
async function rowsOf(changes: Partial<Change>[], names?: Map<string, string>) {
  const call = commandCall({
    answer: ({ path }) => {
      const { pathname, searchParams } = new URL(path, 'http://x');
      const isAsked = (id: string) => searchParams.get('selector')?.includes(id) === true;
      const nodes = [
        { node_id: db1, node_name: 'db-1' },
        { node_id: db2, node_name: 'db-2' },
      ].filter((node) => isAsked(node.node_id));
      if (pathname === '/v1/nodes') return { nodes };
      return pathname === '/v1/agents'
        ? { agents: isAsked(exporter) ? [agent] : [] }
        : { services: [{ service_id: orders, service_name: 'orders' }] };
    },
  });
  const common = {
    time: 't',
    revision: 2,
    actor: { kind: 'api_key', id: 'k', name: 'ci' },
    change_id: 'c',
    request_id: 'r',
  };
  const all = changes.map((change) => ({ ...common, kind: 'node', id: db1, action: 'changed', ...change }));
  return { rows: await changeRows(await call.connect(), all, names), requests: call.sent.length };
}

test('a change has the values before and after, without the time that each change has', async () => {
  const { rows } = await rowsOf([
    {
      before: { region: 'eu', updated_at: 'a', custom_labels: { team: 'a' } },
      after: { az: 'b', updated_at: 'b', custom_labels: { team: 'b' } },
    },
  ]);
  expect(rows).toEqual([
    {
      ...{ time: 't', action: 'changed', object: 'node/db-1', revision: 2, actor: 'ci' },
      changes: 'region: eu -> none; label.team: a -> b; az: none -> b',
    },
  ]);
});

test('an object has the same name in each of its changes, and ids in values are names', async () => {
  const { rows } = await rowsOf([
    { action: 'added', after: { node_id: db1, node_name: 'db-1' } },
    { kind: 'service', id: orders, before: { node_ids: [db1] }, after: { node_ids: [db1, db2] } },
    { kind: 'agent', id: exporter, before: { disabled: false }, after: { disabled: true } },
    { kind: 'agent', id: exporter, action: 'removed', before: agent },
    { kind: 'state', before: { state: 'live' }, after: { state: 'stale' } },
  ]);
  expect(rows.map(({ object, changes }) => [object, changes])).toEqual([
    ['node/db-1', ''],
    ['service/orders', 'node_ids: db-1 -> db-1,db-2'],
    ['agent/mysqld_exporter of orders on db-1', 'disabled: false -> true'],
    ['agent/mysqld_exporter of orders on db-1', ''],
    ['node/db-1', 'state: live -> stale'],
  ]);
});

test('names are read once, and an object that has none is its id', async () => {
  const names = new Map<string, string>();
  const gone = randomUUID();
  await rowsOf([{ after: { region: 'eu' } }], names);
  expect((await rowsOf([{ after: { region: 'us' } }], names)).requests).toBe(0);
  expect((await rowsOf([{ id: gone, after: { region: 'us' } }], names)).rows).toMatchObject([
    { object: `node/${gone}` },
  ]);
});

test('a removed object has the name that it had', async () => {
  const gone = randomUUID();
  const before = { node_id: gone, node_name: 'db-9' };
  expect((await rowsOf([{ id: gone, action: 'removed', before }])).rows).toMatchObject([{ object: 'node/db-9' }]);
});

test('the name of a change in other commands is its object', () => {
  expect(changeLayout.nameOf?.({ kind: 'agent', id: 'x' })).toBe('agent/x');
  expect(changeLayout.nameOf?.({ kind: 'state', id: 'x' })).toBe('node/x');
});

test('a removed agent has its title, although nobody can read it', async () => {
  const gone = randomUUID();
  const { rows } = await rowsOf([{ kind: 'agent', id: gone, action: 'removed', before: { ...agent, agent_id: gone } }]);
  expect(rows).toMatchObject([{ object: 'agent/mysqld_exporter of orders on db-1' }]);
});

test('an agent that only changed has the title of the present agent', async () => {
  const change = { kind: 'agent', id: exporter, before: { disabled: false }, after: { disabled: true } } as const;
  expect((await rowsOf([change])).rows).toMatchObject([{ object: 'agent/mysqld_exporter of orders on db-1' }]);
});

import { randomUUID } from 'node:crypto';
import { commandCall } from '../../../../tests/support/command-call.ts';
import { clearedBy, clearedText, declaredObject } from './cleared.ts';
import type { Fields } from '../core/values.ts';

const before = {
  ...{ node_id: 'n', node_type: 'generic', node_name: 'db-1', address: 'a', region: 'eu', state: 'live', revision: 3 },
  custom_labels: { team: 'dba', env: 'prod' },
};
const text = async (...call: Parameters<typeof clearedBy>) =>
  clearedText(await commandCall({ answer: () => ({ nodes: [] }) }).connect(), clearedBy(...call));

test('a declaration clears fields and labels that it does not give, but no values of the server', async () => {
  const body = { node_type: 'generic', node_name: 'db-1', address: 'b' };
  expect(await text('node', before, body)).toBe('region: eu -> none, labels -team -env');
  expect(await text('node', before, { ...body, region: 'us', custom_labels: { team: 'x' } })).toBe('labels -env');
  expect(await text('node', before, { ...body, region: 'eu', custom_labels: { team: 'x', env: 'y', new: 'z' } })).toBe(
    '',
  );
});

test('nested values are cleared one by one, and empty values are not cleared', async () => {
  const agent = {
    ...{ agent_type: 'mysqld_exporter', disabled: false, tls: true, disable_collectors: [], log_level: 'warn' },
    ...{ metrics_resolutions: { hr: '5s', mr: '10s' }, insights: { service_ids: ['s'] }, custom_labels: {} },
  };
  expect(await text('agent', agent, { metrics_resolutions: { hr: '5s' } })).toBe(
    'tls: true -> none, log_level: warn -> none, metrics_resolutions.mr: 10s -> none',
  );
});

test('clearing a field with a default sets that default, and is no loss if the field has it', async () => {
  const service = (group: string) => ({ service_type: 'external', service_name: 's', group });
  expect(await text('service', service('redis'), {})).toBe('group: redis -> external');
  expect(await text('service', service('external'), {})).toBe('');
});

test('the port that an agent has reported is not cleared', async () => {
  const agent = { agent_type: 'mysqld_exporter', listen_port: 42_000 };
  expect(await text('agent', agent, {})).toBe('listen_port: 42000 -> none');
  expect(await text('agent', { ...agent, reported_at: '2026-03-02T09:30:00Z' }, {})).toBe('');
});

test('the nodes of a service are shown by their names', async () => {
  const id = randomUUID();
  const client = await commandCall({ answer: () => ({ nodes: [{ node_id: id, node_name: 'db-1' }] }) }).connect();
  const cleared = clearedBy('service', { service_type: 'mysql', service_name: 's', node_ids: [id] }, {});
  expect(await clearedText(client, cleared)).toBe('node_ids: db-1 -> none');
});

describe('the declared object', () => {
  const findDeclared = async (kind: 'node' | 'agent', body: Fields, objects: object[]) => {
    const call = commandCall({ answer: () => ({ nodes: objects, agents: objects }) });
    return [await declaredObject(await call.connect(), kind, body), call.sent.map(({ path }) => path)] as const;
  };

  test('of a kind with names has that name, and never that id', async () => {
    expect((await findDeclared('node', { node_name: 'db-1' }, [before]))[0]).toEqual(before);
    expect((await findDeclared('node', { node_name: 'db' }, [before]))[0]).toBeUndefined();
    const id = randomUUID();
    const call = commandCall({
      answer: ({ path }) => (path.includes('?') ? { nodes: [] } : { ...before, node_id: id }),
    });
    expect(await declaredObject(await call.connect(), 'node', { node_name: id })).toBeUndefined();
  });

  const agent = (agent_id: string, more: Fields = {}) => ({
    ...{ agent_id, agent_type: 'x', pmm_agent_id: 'p', runs_on_node_id: 'n', created_at: '2026-01-02' },
    insights: { node_ids: [], service_ids: ['a', 'b'] },
    ...more,
  });
  const body = { agent_type: 'x', pmm_agent_id: 'p', insights: { service_ids: ['b', 'a'] } };

  test('of an agent has its place and exactly its targets, the oldest first', async () => {
    const [declared, [path]] = await findDeclared('agent', body, [
      agent('other', { insights: { service_ids: ['a'] } }),
      agent('elsewhere', { pmm_agent_id: 'q' }),
      agent('collector', { collector_name: 'c' }),
      agent('newer', { created_at: '2026-01-03' }),
      agent('older'),
      agent('newest', { created_at: '2026-01-04' }),
    ]);
    expect(declared).toMatchObject({ agent_id: 'older' });
    expect(path).toBe('/v1/agents?agent_type=x&pmm_agent_id=p&include=state&page_size=1000');
  });

  test('of an agent without targets may monitor its own node', async () => {
    const objects = [agent('own', { insights: { node_ids: ['n'], service_ids: [] } })];
    const [declared] = await findDeclared('agent', { agent_type: 'x', pmm_agent_id: 'p' }, objects);
    expect(declared).toMatchObject({ agent_id: 'own' });
    const [none] = await findDeclared('agent', { agent_type: 'x', runs_on_node_id: 'n' }, objects);
    expect(none).toBeUndefined();
  });

  test('of an agent without place has none, whatever its targets are', async () => {
    const placed = { ...agent('placed'), pmm_agent_id: undefined };
    const declared = { agent_type: 'x', insights: { service_ids: ['a', 'b'] } };
    expect((await findDeclared('agent', declared, [placed]))[0]).toBeUndefined();
  });

  test('of an agent without place and targets is absent, without a request', async () => {
    expect(await findDeclared('agent', { agent_type: 'x' }, [agent('a')])).toEqual([undefined, []]);
  });
});

import { randomUUID } from 'node:crypto';
import { commandCall, refusal } from '../../../../tests/support/command-call.ts';
import { findObject } from './find-object.ts';
import { dependantsOf, itemsOf, kindOf, layoutOf, readList, referenceTo } from './objects.ts';

test('a kind can be named in the singular, and an unknown one is refused with those that exist', () => {
  expect(itemsOf('node', ['nodes', 'services'])).toBe('nodes');
  expect(itemsOf('nodes', ['nodes', 'services'])).toBe('nodes');
  expect(() => itemsOf('agents', ['nodes', 'services'])).toThrow('No such kind: agents. There are: nodes, services.');
  expect([kindOf('nodes'), kindOf('agents'), kindOf('clusters')]).toEqual(['node', 'agent', undefined]);
});

test('the name of an object has its kind, and that of a cluster has none', () => {
  expect(layoutOf('nodes').nameOf?.({ node_name: 'db-1' })).toBe('node/db-1');
  expect(layoutOf('agents').nameOf?.({ agent: 'pmm_agent on db-1', agent_id: 'x' })).toBe('agent/x');
  expect(referenceTo({ kind: 'agent', object: { agent_id: 'x' } })).toBe('agent/x');
  const credential = { session_id: 's', token_id: 't', user_name: 'u', name: 'n' };
  expect(
    (['sessions', 'enrolment_tokens', 'users', 'api_keys'] as const).map((items) =>
      layoutOf(items).nameOf?.(credential),
    ),
  ).toEqual(['s', 't', 'u', 'n']);
  expect(layoutOf('clusters').nameOf?.({ cluster: 'pxc' })).toBe('pxc');
});

test('only the list of agents shows a title, instead of the type and the ids', () => {
  expect(layoutOf('agents').columns).toEqual(['agent', 'disabled', 'version', 'state', 'status', 'status_since']);
  expect([layoutOf('nodes').columns[0], layoutOf('services').columns[0]]).toEqual(['node_name', 'service_name']);
});

describe('a list', () => {
  const pages = () =>
    commandCall({
      answer: ({ path }) => {
        const { searchParams } = new URL(path, 'http://x');
        const first = Number(searchParams.get('page_token') ?? 0);
        const size = Math.min(Number(searchParams.get('page_size')), 2);
        const nodes = Array.from({ length: size }, (_, index) => ({ node_id: String(first + index) }));
        return { nodes, ...(first + size < 5 ? { next_page_token: String(first + size) } : {}) };
      },
    });

  test('is read to its end or limit without another request', async () => {
    const read = async (limit?: number) => {
      const call = pages();
      const objects = await readList(await call.connect(), 'nodes', { region: 'eu' }, limit);
      return [objects.length, call.sent.length, call.sent[0]?.path];
    };
    expect(await read()).toEqual([6, 3, '/v1/nodes?region=eu&page_size=1000']);
    expect(await read(2)).toEqual([2, 1, '/v1/nodes?region=eu&page_size=2']);
    expect(await read(3)).toEqual([3, 2, '/v1/nodes?region=eu&page_size=3']);
    expect(await read(0)).toEqual([0, 0, undefined]);
  });
});

describe('an object', () => {
  const id = randomUUID();
  const client = (nodes: readonly object[]) =>
    commandCall({
      answer: ({ path }) =>
        path.startsWith('/v1/nodes?') ? { nodes } : path === `/v1/nodes/${id}` ? { node_id: id } : refusal(404),
    });

  test('is found by its whole name', async () => {
    const call = client([{ node_id: 'n', node_name: 'db-1' }]);
    expect(await findObject(await call.connect(), 'node', 'db-1')).toMatchObject({ kind: 'node', id: 'n' });
    await expect(findObject(await call.connect(), 'node', 'db')).rejects.toMatchObject({ exit: 'missing' });
  });

  test("is found by its id, unless that is another one's name", async () => {
    expect(await findObject(await client([]).connect(), 'node', id)).toMatchObject({ id });
    const named = client([{ node_id: 'n', node_name: id }]);
    expect(await findObject(await named.connect(), 'node', id)).toMatchObject({ id: 'n' });
  });

  test('of a kind without names is found by its id, or as people name it', async () => {
    const call = commandCall({
      answer: ({ path }) => (path === `/v1/agents/${id}` ? { agent_id: id } : { agents: [{ agent_id: 'a' }] }),
    });
    expect(await findObject(await call.connect(), 'agent', id)).toMatchObject({ id });
    expect(await findObject(await call.connect(), 'agent', 'pmm_agent')).toMatchObject({ id: 'a' });
    expect(call.sent.map(({ path }) => path)).toEqual([
      `/v1/agents/${id}`,
      '/v1/agents?agent_type=pmm_agent&include=state&page_size=1000',
    ]);
  });
});

test('services and agents depend on a node, agents also on a service and a pmm_agent', async () => {
  const paths = async (kind: 'node' | 'service' | 'agent') => {
    const call = commandCall({ answer: ({ path }) => ({ [path.split(/[/?]/)[2]!]: [] }) });
    await dependantsOf(await call.connect(), { kind, id: 'x', object: {} });
    return call.sent.map(({ path }) => path.replace('&include=state&page_size=1000', ''));
  };
  expect(await paths('node')).toEqual(['/v1/services?node_id=x', '/v1/agents?runs_on_node_id=x']);
  expect(await paths('service')).toEqual(['/v1/agents?service_id=x']);
  expect(await paths('agent')).toEqual(['/v1/agents?pmm_agent_id=x']);
});

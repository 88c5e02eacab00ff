import { queries } from '../api/queries.tsx';
import { closePage } from '../testing/page.tsx';
import { queryOf, type Reply, showReplies } from '../testing/replies.tsx';
import { cachedObject, cacheNames, nameQuery, presentObjects } from './object-cache.tsx';
import { agents, nodes, services } from './kinds.tsx';

const id = (number: number) => `0000000${number}-0000-4000-8000-000000000000`;
const node = (number: number) => ({ node_id: id(number), node_name: `db-${number}`, node_type: 'generic' });
const service = { service_id: id(5), service_name: 'orders', service_type: 'mysql' };
const agent = { agent_id: id(6), agent_type: 'pmm_agent', runs_on_node_id: id(2) };

afterEach(closePage);

/** A server with these objects. @returns the ids that each request asks for. */
async function server(reply?: Reply): Promise<() => string[]> {
  const requests = await showReplies(({ path }) => {
    if (reply !== undefined) return reply;
    if (path.startsWith('/v1/services')) return { services: [service] };
    if (path.startsWith('/v1/agents')) return { agents: [agent] };
    const selector = queryOf({ path } as never)['selector'] ?? '';
    return { nodes: [node(1), node(2)].filter((each) => selector.includes(each.node_id)) };
  });
  return () => requests.map((request) => `${request.path.split('?')[0]} ${queryOf(request)['selector'] ?? ''}`);
}

const nameOf = (folder: string, objectId: string) =>
  queries.getQueryData<{ object?: Record<string, string> }>(['names', folder, objectId])?.object;

test("names of objects are cached before their links, of an agent also its node's", async () => {
  const requests = await server();
  await cacheNames([
    { kind: 'node', id: id(1) },
    { kind: 'service', id: id(5) },
    { kind: 'agent', id: id(6) },
  ]);
  expect([nameOf('nodes', id(1)), nameOf('services', id(5)), nameOf('agents', id(6)), nameOf('nodes', id(2))]).toEqual([
    node(1),
    service,
    agent,
    node(2),
  ]);
  expect(requests()).toHaveLength(4);
});

test('names that are requested together are one request, and an absent object is not found', async () => {
  const requests = await server();
  const [first, gone] = await Promise.all([
    cachedObject(nodes, id(1)),
    cachedObject(nodes, id(3)).catch((error: unknown) => (error as { status: number }).status),
  ]);
  expect([first, gone]).toEqual([node(1), 404]);
  expect(requests()).toEqual([`/v1/nodes node_id in (${id(1)},${id(3)})`]);
});

test.each([
  [403, { failure: expect.objectContaining({ status: 403 }) }],
  [404, { failure: expect.objectContaining({ status: 404 }) }],
])('a refusal with %i is cached as one', async (status, reply) => {
  await server({ status, message: 'Denied.' });
  expect(await queries.query(nameQuery(agents, id(6)))).toEqual(reply);
});

test('another failure is thrown and not cached', async () => {
  await server({ status: 400, message: 'Wrong.' });
  await expect(queries.query(nameQuery(services, id(5)))).rejects.toThrow('Wrong.');
  await cacheNames([{ kind: 'node', id: id(1) }]);
  expect(nameOf('nodes', id(1))).toBeUndefined();
});

test('an impossible id is read by its address', async () => {
  const requests = await server(node(1));
  expect(await queries.query(nameQuery(nodes, 'typed'))).toEqual({ object: node(1) });
  expect(requests()[0]).toMatch(/^\/v1\/nodes\/typed/);
});

test('present objects are cached by their ids for links', async () => {
  await server();
  expect(await presentObjects(nodes, [id(1), id(3)])).toEqual([node(1)]);
  expect(nameOf('nodes', id(1))).toEqual(node(1));
  await server({ status: 400, message: 'Wrong.' });
  await expect(presentObjects(nodes, [id(1)])).rejects.toThrow('Wrong.');
});

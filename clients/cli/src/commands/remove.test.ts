import { commandCall, type CommandOptions, type SentRequest } from '../../../../tests/support/command-call.ts';
import { run } from './remove.ts';

const node = (name: string) => ({ node_id: `id-${name}`, node_name: name, revision: 3 });
const service = { service_id: 's1', service_name: 'orders' };

function remove(args: string[], options: object = {}, world: CommandOptions['world'] = {}) {
  const call = commandCall({
    args,
    options: { ...options },
    world,
    answer: ({ method, path }: SentRequest) => {
      if (method === 'DELETE') return new Response(null, { status: 204 });
      if (path.startsWith('/v1/services')) return { services: [service] };
      if (path.startsWith('/v1/agents')) return { agents: [] };
      return { nodes: [node(new URL(path, 'http://a').searchParams.get('name_prefix') ?? '')] };
    },
  });
  const removals = () =>
    call.sent.filter(({ method }) => method === 'DELETE').map(({ path, headers }) => [path, headers['If-Match']]);
  return { call, ended: run(call), removals };
}

test('removes the revisions that were read, in argument order, and names each', async () => {
  const { call, ended, removals } = remove(['node', 'db-1', 'db-2'], { yes: true });
  await ended;
  expect(removals()).toEqual([
    ['/v1/nodes/id-db-1', '"3"'],
    ['/v1/nodes/id-db-2', '"3"'],
  ]);
  expect(call.out()).toBe('node/db-1 removed\nnode/db-2 removed\n');
});

test.each([
  [{}, 'Remove node/db-1, node/db-2? [y/N] ', '/v1/nodes/id-db-1'],
  [{ force: true }, 'Remove node/db-1, node/db-2 and what depends on it? [y/N] ', '/v1/nodes/id-db-1?force=true'],
])('a person is asked before, with %j', async (options, question, path) => {
  const asked: string[] = [];
  const ask = (text: string) => {
    asked.push(text);
    return Promise.resolve('y');
  };
  const { ended, removals } = remove(['node', 'db-1', 'db-2'], options, { ask });
  await ended;
  expect([asked, removals()[0]?.[0]]).toEqual([[question], path]);
});

test('without an answer nothing is removed', async () => {
  for (const world of [{}, { ask: () => Promise.resolve('n') }]) {
    const { ended, removals } = remove(['node/db-1'], {}, world);
    await expect(ended).rejects.toBeDefined();
    expect(removals()).toEqual([]);
  }
});

test('a dry run lists each object with those that depend on it', async () => {
  for (const [options, out] of [
    [{}, '| object | depends_on |\n| --- | --- |\n| node/db-1 | - |\n| service/orders | node/db-1 |\n'],
  ] as const) {
    const { call, ended, removals } = remove(['node/db-1'], { dryRun: true, output: 'markdown', ...options });
    await ended;
    expect([call.out(), removals()]).toEqual([out, []]);
  }
});

test('programs get the dry run with the words that commands take', async () => {
  const agent = { agent_id: 'a1', agent_type: 'pmm_agent', runs_on_node_id: 'id-db-1' };
  const call = commandCall({
    args: ['node/db-1'],
    options: { dryRun: true, output: 'json' },
    answer: ({ path }) =>
      path.startsWith('/v1/nodes')
        ? { nodes: [node('db-1')] }
        : path.startsWith('/v1/agents')
          ? { agents: [agent] }
          : { services: [service] },
  });
  await run(call);
  expect(JSON.parse(call.out())).toEqual([
    { object: 'node/db-1' },
    { object: 'service/orders', depends_on: 'node/db-1' },
    { object: 'agent/a1', depends_on: 'node/db-1' },
  ]);
});

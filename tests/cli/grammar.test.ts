/** The command line's words: objects in both forms, agents by what they do, one command's output as another's input. */
import { commands } from '../../clients/cli/src/table.ts';
import { type CommandLine, startCommandLine } from './command.ts';

let line: CommandLine;
let agent: string;
const run = (...argv: string[]) => line.inventoryCommand(argv);
const words = (text: string) => text.split(' ');

beforeAll(async () => {
  line = await startCommandLine();
  for (const text of [
    'add node db-1 --type generic --address db-1.example',
    'add node db-2 --type generic --address db-2.example',
    'add service orders --type mysql --node-ids db-1 --address db-1.example --port 3306',
    'add agent pmm_agent --runs-on-node-id db-1',
  ])
    expect(await run(...words(text))).toMatchObject({ code: 0 });
  const exporter = 'add agent mysqld_exporter --pmm-agent-id db-1 --insights-service-ids orders -o json';
  agent = (await run(...words(exporter))).json().agent_id;
});
afterAll(() => line.stop());

const title = 'mysqld_exporter of orders on db-1';

/** How an object of each kind can be named, the shortest form first. */
const forms: readonly string[][] = [
  ['node/db-1', 'node db-1', 'nodes db-1', 'node node/db-1'],
  ['service/orders', 'service orders'],
  [`agent ${title}`, 'agent mysqld_exporter', 'agent mysqld_exporter on db-1'],
];

/** The words of each command with an object, which change nothing. */
const calls = new Map<string, (object: string) => string>([
  ['get', (object) => `get ${object} -o json`],
  ['describe', (object) => `describe ${object}`],
  ['history', (object) => `history ${object}`],
  ['change', (object) => `change ${object} label.none-`],
  ['edit', (object) => `edit ${object}`],
  ['remove', (object) => `remove ${object} --dry-run`],
  ['wait', (object) => `wait ${object} --for revision=1 --timeout 1ms`],
]);

test('every command that takes an object is in this test', () => {
  const taken = commands.filter(({ args = '' }) => /[<[]object/.test(args)).map(({ name }) => name);
  expect(new Set([...taken, 'get'])).toEqual(new Set(calls.keys()));
});

test.each([...calls])('%s takes each form of an object, with the same result', async (_, call) => {
  const env = { INVENTORY_URL: 'http://inventory', INVENTORY_KEY: line.inventory.keys.Admin, EDITOR: 'true' };
  for (const [first = '', ...others] of forms) {
    const of = async (object: string) => {
      const { code, out, err } = await line.inventoryCommand(words(call(object)), { env });
      return { code, out: out.replace(/revision \d+/, ''), err };
    };
    const expected = await of(first);
    expect([0, 7]).toContain(expected.code);
    for (const form of others) expect([form, await of(form)]).toEqual([form, expected]);
  }
});

describe('the output names of a command are the input of the next', () => {
  const namesIn = async (...argv: string[]) => (await run(...argv, '-o', 'name')).out.trimEnd().split('\n');

  test.each([[['nodes']], [['services']], [['agents']]])('get %s', async ([items = '']) => {
    const names = await namesIn('get', items);
    const ids = (await run('get', items, '-o', 'json')).json();
    expect((await run('get', ...names, '-o', 'jsonl')).out.trimEnd().split('\n')).toHaveLength(names.length);
    expect(await namesIn('get', ...names)).toEqual(names);
    for (const [index, name] of names.entries())
      for (const read of [
        ['describe', name],
        ['get', name],
      ]) {
        const idField = `${items.slice(0, -1)}_id`;
        expect((await run(...read, '-o', 'json')).json()[idField]).toBe(ids[index][idField]);
      }
  });

  test('names of nodes and services are accepted for ids', async () => {
    const [node = ''] = await namesIn('get', 'nodes');
    const [service = ''] = await namesIn('get', 'services');
    const set = ['set', 'agent', 'mysqld_exporter', '--pmm-agent-id', node, '--insights-service-ids', service];
    expect(await run(...set)).toMatchObject({ code: 0, out: `agent/${title} unchanged\n` });
    const filtered = await namesIn('get', 'agents', '--filter', 'service_id=orders');
    expect(filtered).toEqual([`agent/${agent}`]);
    expect(await namesIn('get', 'agents', '--filter', `runs_on_node_id=${node}`)).toHaveLength(2);
  });

  test('credentials are removed by name', async () => {
    const token = await run('token', 'add', 'hosts', '--allowed-addresses', '*');
    expect(token.code).toBe(0);
    for (const name of await namesIn('token', 'list'))
      expect(await run('token', 'remove', name, '-y')).toMatchObject({ code: 0 });
    expect((await run('token', 'list', '-o', 'json')).json()).toEqual([]);
  });
});

test('get of objects of two kinds is refused', async () => {
  expect(await run('get', 'node/db-1', 'service/orders')).toMatchObject({ code: 64, err: /one kind/ });
});

describe('agents are shown by what they do', () => {
  test("in lists, alone, among a node's dependants, and when written", async () => {
    const { rows } = await run('get', 'agents');
    expect(rows.map(([first]) => first)).toEqual(['AGENT', title, 'pmm_agent on db-1']);
    expect((await run('get', 'agents', '-o', 'wide')).rows[1]).toEqual(expect.arrayContaining([title, agent]));
    expect((await run('get', 'agents', '--columns', 'id,agent', '--no-headers')).rows[0]).toEqual([agent, title]);
    expect((await run('describe', 'node/db-1')).out).toMatch(
      /\nagents:\nAGENT [^]*\nmysqld_exporter of orders on db-1 /,
    );
    const described = (await run('describe', `agent/${agent}`)).out;
    expect(described).toMatch(/^agent +mysqld_exporter of orders on db-1$/m);
    expect(described).toMatch(/^runs_on_node_id +db-1 \([\w-]{36}\)$/m);
    expect(described).toMatch(/^insights +.*service_ids=orders \([\w-]{36}\)$/m);
    expect((await run('change', `agent/${agent}`, 'log_level=warn')).out).toBe(`agent/${title} changed, revision 2\n`);
  });

  test('also under a pmm_agent, which its removal removes', async () => {
    const { rows } = await run('remove', 'agent', 'pmm_agent', 'on', 'db-1', '--dry-run', '--no-headers');
    expect(rows).toEqual([
      ['agent/pmm_agent on db-1', '-'],
      [`agent/${title}`, 'agent/pmm_agent on db-1'],
    ]);
  });

  test('but unchanged for programs', async () => {
    const [first] = (await run('get', 'agents', '-o', 'json')).json();
    expect(first).toEqual(expect.not.objectContaining({ agent: expect.anything() }));
    expect((await run('get', 'agents', '--columns', 'agent_id', '-o', 'csv', '--no-headers')).out).toContain(agent);
  });

  test('without requests for invisible names', async () => {
    line.sent.length = 0;
    await run('get', 'agents', '-o', 'json');
    await run('get', 'agents', '--columns', 'agent_id');
    expect(line.sent).toHaveLength(2);
  });
});

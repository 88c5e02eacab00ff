/** The command line against the service: contexts and keys, lists, formats, exit codes. */
import { accepted, PASSWORD } from '../support/users.ts';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { meanings, meantBy } from '../../clients/cli/src/command/other-words.ts';
import { commandGroups, commands, writing } from '../../clients/cli/src/table.ts';
import type { HttpFetch } from '../../clients/typescript/src/options.ts';
import { answerWith } from '../support/devices.ts';
import { ADMIN_PASSWORD } from '../support/inventory.ts';
import { testTime } from '../support/test-time.ts';
import { ADDRESS, type CommandLine, startCommandLine } from './command.ts';

let line: CommandLine;
let ids: string[];
const run: CommandLine['inventoryCommand'] = (...call) => line.inventoryCommand(...call);
const words = (text: string) => text.split(' ');

beforeAll(async () => {
  line = await startCommandLine();
  ids = [];
  for (const [name, team, region] of [
    ['db-1', 'dba', 'eu'],
    ['db-2', 'dba', 'us'],
    ['db-10', 'web', 'eu'],
  ]) {
    const body = { node_type: 'generic', node_name: name, address: `${name}.example`, region, custom_labels: { team } };
    ids.push((await line.inventory.request('POST', '/v1/nodes', { body })).body.node_id);
  }
  const service = {
    service_type: 'mysql',
    service_name: 'orders',
    node_ids: [ids[0]],
    address: '10.0.0.1',
    port: 3306,
  };
  await line.inventory.request('POST', '/v1/services', { body: { ...service, cluster: 'pxc' } });
  const agent = { agent_type: 'pmm_agent', runs_on_node_id: ids[0] };
  await line.inventory.request('POST', '/v1/agents', { body: agent });
});
afterAll(() => line.stop());

describe('get', () => {
  test('prints a table with the names, the filters of the list and the state', async () => {
    const { code, rows, err } = await run(['get', 'nodes']);
    expect([code, err]).toEqual([0, '']);
    expect(rows).toEqual([
      ['NODE_NAME', 'NODE_TYPE', 'ADDRESS', 'REGION', 'AZ', 'STATE'],
      ['db-1', 'generic', 'db-1.example', 'eu', '-', 'never_seen'],
      ['db-10', 'generic', 'db-10.example', 'eu', '-', 'never_seen'],
      ['db-2', 'generic', 'db-2.example', 'us', '-', 'never_seen'],
    ]);
  });

  test.each([
    [
      ['nodes', '--group-by', 'region'],
      [
        ['eu', '2', '-', '-', '-', '2'],
        ['us', '1', '-', '-', '-', '1'],
      ],
    ],
    [
      ['node', '--group-by', 'label.team', '--prefix', 'db-1', '--filter', 'node_type=generic'],
      [
        ['dba', '1', '-', '-', '-', '1'],
        ['web', '1', '-', '-', '-', '1'],
      ],
    ],
    [['agents', '--group-by', 'cluster'], [['-', '1', '-', '-', '-', '1']]],
  ])('get %j counts by value and state', async (options, counts) => {
    const { code, rows, err } = await run(['get', ...options]);
    expect([code, err]).toEqual([0, '']);
    expect(rows).toEqual([['VALUE', 'COUNT', 'LIVE', 'STALE', 'OFFLINE', 'NEVER_SEEN'], ...counts]);
  });

  test.each([
    [['clusters', '--group-by', 'type'], 'counts nodes, services or agents'],
    [['node', 'db-1', '--group-by', 'region'], 'no names'],
    [['nodes', '--limit', '1', '--group-by', 'region'], 'no names'],
    [['nodes', '--group-by', 'version'], 'group_by'],
    [['nodes', '--group-by', 'region', '--filter', 'address=db-1.example'], 'address'],
  ])('get %j is refused', async (options, message) => {
    const { code, out, err } = await run(['get', ...options]);
    expect([code, out, err.trim().split('\n').length]).toEqual([64, '', 1]);
    expect(err).toContain(message);
  });

  test.each([
    [
      ['-l', 'team=dba'],
      ['db-1', 'db-2'],
    ],
    [
      ['--filter', 'region=eu', '--filter', 'type=generic'],
      ['db-1', 'db-10'],
    ],
    [['--prefix', 'db-1', '--limit', '1'], ['db-1']],
    [['--state', 'live,stale'], []],
    [
      ['db-10', 'db-2'],
      ['db-10', 'db-2'],
    ],
  ])('with %j selects %j', async (options, names) => {
    const { code, out } = await run(['get', 'nodes', ...options, '-o', 'name']);
    expect([code, out]).toEqual([0, names.map((name) => `node/${name}\n`).join('')]);
  });

  test('reads all pages, and no more than the limit', async () => {
    const sent: URLSearchParams[] = [];
    const fetch = (url: string) => {
      const { searchParams } = new URL(url);
      sent.push(searchParams);
      const size = Math.min(400, Number(searchParams.get('page_size')));
      const nodes = Array.from({ length: size }, () => ({ node_name: 'a' }));
      return Promise.resolve(
        new Response(JSON.stringify({ nodes, ...(sent.length < 3 ? { next_page_token: 't' } : {}) })),
      );
    };
    expect((await run(['get', 'nodes', '-o', 'json'], { fetch })).json()).toHaveLength(1200);
    expect(sent.map((query) => query.get('page_token'))).toEqual([null, 't', 't']);
    sent.length = 0;
    expect((await run(['get', 'nodes', '-o', 'json', '--limit', '7'], { fetch })).json()).toHaveLength(7);
    expect(sent).toHaveLength(1);
  });

  test('returns one object for a name, a list for several, and accepts names and ids', async () => {
    expect((await run(['get', 'node', 'db-1', '-o', 'json'])).json()).toMatchObject({ node_id: ids[0] });
    expect(parse((await run(['get', 'node', ids[0]!, '-o', 'yaml'])).out)).toMatchObject({ node_name: 'db-1' });
    expect((await run(['get', 'nodes', 'db-1', 'db-2', '-o', 'json'])).json()).toHaveLength(2);
  });

  test('every format contains the same objects', async () => {
    const of = async (...format: string[]) => (await run(['get', 'services', '-o', ...format])).out;
    expect(JSON.parse(await of('json'))).toEqual(parse(await of('yaml')));
    expect(JSON.parse(await of('jsonl'))).toMatchObject({ service_name: 'orders' });
    expect(await of('csv', '--columns', 'service_name,port,cluster', '--no-headers')).toBe('orders,3306,pxc\n');
    expect(await of('markdown', '--columns', 'service_name')).toBe('| service_name |\n| --- |\n| orders |\n');
    expect(await of('wide')).toMatch(/^SERVICE_NAME.*REVISION/);
    expect((await run(['-o', 'name', 'get', 'clusters'])).out).toBe('pxc\n');
    const labels = await run(['get', 'node', 'db-1', '--columns', 'node_name,custom_labels.team', '--no-headers']);
    expect(labels.rows).toEqual([['db-1', 'dba']]);
  });

  test('shows no control characters of a value', async () => {
    const nodes = [{ node_name: 'odd', custom_labels: { note: 'a\u001b[2J\nb' } }];
    const fetch = () => Promise.resolve(new Response(JSON.stringify({ nodes })));
    const { out } = await run(['get', 'nodes', '--columns', 'custom_labels', '--no-headers'], { fetch });
    expect(out).toBe('note=a?[2J?b\n');
  });
});

test('describe shows the object, its services and agents, and the last changes', async () => {
  const { code, out } = await run(['describe', 'node/db-1']);
  expect(code).toBe(0);
  for (const text of ['db-1.example', 'services:', 'orders', 'agents:', 'pmm_agent', 'last changes:', 'added'])
    expect(out).toContain(text);
  const described = (await run(['describe', 'service/orders', '-o', 'json'])).json();
  expect(described).toMatchObject({ service_name: 'orders', agents: [], changes: [{ action: 'added' }] });
});

test('api sends any request and follows pages', async () => {
  const all = (await run(['api', 'get', '/v1/nodes?name_prefix=db-&page_size=1', '--all'])).json();
  expect(all.map((node: any) => node.node_name)).toEqual(['db-1', 'db-10', 'db-2']);
  const body = JSON.stringify({ address: 'moved.example' });
  const readInput = () => Promise.resolve(body);
  const changed = await run(['api', 'PATCH', `/v1/nodes/${ids[2]}`, '-f', '-'], { readInput });
  expect([changed.code, changed.json().address]).toEqual([0, 'moved.example']);
  expect((await run(['api', 'GET', '/v1/metrics'])).out).toContain('# TYPE');
});

test('summary and doctor succeed, and doctor names a failing check', async () => {
  expect((await run(['summary'])).rows[0]).toEqual(expect.arrayContaining(['KIND', 'TOTAL', 'LIVE']));
  expect((await run(['doctor'])).out).toMatch(/^server +ok[^]*^key +ok .*Admin/m);
  const { code, out } = await run(['doctor'], { env: { INVENTORY_URL: ADDRESS, INVENTORY_KEY: 'wrong' } });
  expect([code, out]).toEqual([3, expect.stringMatching(/^key +failed/m)]);
});

describe('contexts', () => {
  const env = {};
  const at = (...parts: string[]) => join(line.home, '.config', 'inventory', ...parts);

  test('login with a password stores a session, which the next command uses and logout ends', async () => {
    const asked: string[] = [];
    const ask = (question: string) => {
      asked.push(question);
      return Promise.resolve(question.startsWith('User') ? 'admin' : ADMIN_PASSWORD);
    };
    const { code, err } = await run(['login', ADDRESS, '--context', 'here'], { env, ask });
    expect([code, err, asked]).toEqual([0, expect.stringContaining('until'), ['User: ', 'Password: ']]);
    expect((await run(['whoami', '-o', 'json'], { env })).json()).toMatchObject({ kind: 'session', context: 'here' });
    expect((await stat(at('credentials.json'))).mode & 0o777).toBe(0o600);
    expect((await stat(at())).mode & 0o777).toBe(0o700);
    const { here } = JSON.parse(await readFile(at('credentials.json'), 'utf8'));
    expect((await run(['logout'], { env })).code).toBe(0);
    const after = await run(['whoami'], { env: { INVENTORY_URL: ADDRESS, INVENTORY_KEY: here.key } });
    expect(after.code).toBe(3);
    expect((await run(['whoami'], { env })).code).toBe(3);
    expect(await readFile(at('config.yaml'), 'utf8')).not.toContain(here.key);
  });

  test('a user who has accepted an invitation logs in by name and password', async () => {
    const { user_name } = await accepted(line.inventory, 'Editor', { owners: ['dba'] });
    const ask = (question: string) => Promise.resolve(question.startsWith('User') ? user_name : PASSWORD);
    expect((await run(['login', ADDRESS, '--context', 'person'], { env, ask })).code).toBe(0);
    const { kind, name, owners } = (await run(['whoami', '-o', 'json'], { env })).json();
    expect([kind, name, owners]).toEqual(['session', user_name, ['dba']]);
    expect((await run(['login', ADDRESS], { env, ask: () => Promise.resolve(user_name) })).code).toBe(3);
    expect((await run(['logout'], { env })).code).toBe(0);
  });

  test('login --device shows a code on the standard error, and stores the session of the person who approves it', async () => {
    const { user_name, key } = await accepted(line.inventory, 'Editor', { owners: ['dba'] });
    const answer = async (user_code: string) =>
      answerWith(line.inventory, key, { user_code, answer: 'approve', role: 'Viewer' });
    const fetch: HttpFetch = async (url, init) => {
      const reply = await line.fetch(url, init);
      if (!url.endsWith('/v1/device-authorizations')) return reply;
      const text = await reply.text();
      await answer(JSON.parse(text).user_code);
      return new Response(text, { status: reply.status });
    };
    const { code, out, err } = await run(['login', ADDRESS, '--device', '--context', 'device'], { env, fetch });
    expect([code, out]).toEqual([0, '']);
    expect(err).toMatch(/Open http:.*\/#\/device and enter the code [B-Z]{4}-[B-Z]{4}\nor open http:.*user_code=/);
    expect(err).not.toContain('minv_');
    const { kind, name, role } = (await run(['whoami', '-o', 'json'], { env })).json();
    expect([kind, name, role]).toEqual(['session', user_name, 'Viewer']);
    expect((await run(['logout'], { env })).code).toBe(0);
  });

  test('login with a key from the standard input checks it before it is stored', async () => {
    const login = (key: string) =>
      run(['login', ADDRESS, '--key-stdin', '--context', 'key'], { env, readInput: () => Promise.resolve(`${key}\n`) });
    expect((await login('minv_wrong')).code).toBe(3);
    expect((await run(['context', 'list', '-o', 'name'], { env })).out).not.toContain('key');
    expect((await login(line.inventory.keys.Viewer)).code).toBe(0);
    expect((await run(['whoami', '-o', 'json'], { env })).json().role).toBe('Viewer');
  });

  test('a credentials file that others can read is refused', async () => {
    await chmod(at('credentials.json'), 0o644);
    const { code, err } = await run(['get', 'nodes'], { env });
    expect([code, err]).toEqual([3, expect.stringMatching(/^Error: .*credentials.json can be read .*chmod 600.*\n$/)]);
    await chmod(at('credentials.json'), 0o600);
  });

  test('the key of a context is never sent to another address, from the environment or a changed context', async () => {
    const elsewhere = 'http://elsewhere';
    const sent: RequestInit[] = [];
    const fetch = (_: string, init: RequestInit) => {
      sent.push(init);
      return Promise.resolve(new Response('{"status":"UNAUTHENTICATED"}', { status: 401 }));
    };
    expect((await run(['whoami'], { env: { INVENTORY_URL: elsewhere }, fetch })).code).toBe(3);
    expect((await run(['context', 'set', 'key', '--url', elsewhere], { env })).code).toBe(0);
    expect((await run(['whoami', '--context', 'key'], { env, fetch })).code).toBe(3);
    expect(sent.length).toBeGreaterThan(1);
    expect(JSON.stringify(sent)).not.toContain('Authorization');
  });

  test('an option precedes the environment, and that the current context', async () => {
    await run(['context', 'set', 'a', '--url', 'http://a'], { env });
    await run(['context', 'use', 'a'], { env });
    const addressOf = async (argv: string[], more: Record<string, string>) => {
      let address = '';
      const fetch = (url: string) => {
        address = new URL(url).host;
        return Promise.resolve(new Response('{"nodes":[]}'));
      };
      await run(['get', 'nodes', ...argv], { env: more, fetch });
      return address;
    };
    expect(await addressOf([], {})).toBe('a');
    expect(await addressOf([], { INVENTORY_URL: 'http://b' })).toBe('b');
    expect(await addressOf(['--url', 'http://c'], { INVENTORY_URL: 'http://b' })).toBe('c');
    expect(await addressOf(['--context', 'a'], { INVENTORY_URL: 'http://b' })).toBe('a');
    expect((await run(['context', 'remove', 'a'], { env })).code).toBe(0);
    expect((await run(['get', 'nodes'], { env })).code).toBe(64);
  });

  test('a key_command gives the key, and its output is never shown', async () => {
    await writeFile(join(line.home, 'key'), line.inventory.keys.Editor);
    const command = `cat ${line.home}/key`;
    expect((await run(['login', ADDRESS, '--key-command', command, '--context', 'c'], { env })).code).toBe(0);
    expect((await run(['whoami', '-o', 'json'], { env })).json().role).toBe('Editor');
    await run(['context', 'set', 'c', '--key-command', `echo secret; exit 1`], { env });
    const { code, out, err } = await run(['whoami', '--debug'], { env });
    expect([code, `${out}${err}`]).toEqual([3, expect.not.stringContaining('secret')]);
  });
});

describe('error exits', () => {
  test.each([
    [['get', 'node', 'absent'], 5, /^Error: There is no node absent\.\n$/],
    [['get', 'nodes', '-l', 'team in'], 64, /^Error: .*selector.*\n$/],
    [['get', 'nodes', '--filter', 'colour=red'], 64, /no filter colour/],
    [['get', 'things'], 64, /No such kind: things/],
    [['get', 'nodes', '--limit', 'x'], 64, /--limit/],
    [['get', 'nodes', '--columns', 'colour'], 64, /No such column: colour/],
    [['get', 'nodes', '-o', 'xml'], 64, /xml/],
    [['get', 'nodes', 'a', '-l', 'b'], 64, /not both/],
    [['get'], 64, /kind/],
    [['gte', 'nodes'], 64, /Did you mean get/],
    [['get', 'nodes', '--colour'], 64, /--colour/],
    [['get', 'nodes', '--timeout', 'soon'], 64, /--timeout/],
    [['get', 'nodes', '--context', 'none'], 64, /There is no context none/],
    [['get', 'nodes', '--url', 'ftp://x'], 64, /--url must be such as/],
    [['get', 'nodes', '--key-file', '/nowhere/key'], 64, /\/nowhere\/key/],
    [['describe', 'db-1'], 64, /node\/db-1/],
    [['api', 'GET', 'v1/nodes'], 64, /Not a path/],
    [['api', 'DELETE', '/v1/nodes/x'], 5, /not found/],
    [['api', 'POST', '/v1/nodes', '-f', '-'], 64, /not JSON/],
    [['login'], 64, /--key-stdin/],
    [['context', 'use', 'none'], 64, /There is no context none/],
    [['context', 'set', 'new'], 64, /--url/],
  ])('%j ends with %i and one line', async (argv, code, message) => {
    const ended = await run(argv);
    expect([ended.code, ended.out]).toEqual([code, '']);
    expect(ended.err).toMatch(message);
    expect(ended.err.trimEnd().split('\n')).toHaveLength(1);
  });

  test('a server that does not answer or is busy is 7, and with -o json the error is an object', async () => {
    expect((await run(['doctor', '--url', 'http://stopped'])).code).toBe(7);
    const error = { code: 14, status: 'UNAVAILABLE', message: 'Busy.', details: [], request_id: 'r' };
    const headers = { 'Retry-After': '100' };
    const fetch = () => Promise.resolve(new Response(JSON.stringify(error), { status: 503, headers }));
    const { code, err } = await run(['get', 'nodes', '-o', 'json'], { fetch });
    expect([code, JSON.parse(err)]).toEqual([7, error]);
  });

  test('the output of --debug contains no key', async () => {
    const { code, err } = await run(['get', 'nodes', '--debug', '--limit', '1']);
    expect([code, err]).toEqual([0, expect.stringMatching(/^GET http:\/\/inventory\/v1\/nodes\S* 200 \S+\n$/)]);
    expect(err).not.toContain(line.inventory.keys.Admin);
  });
});

test.each(commands.map(({ name }) => [name]))('help of %s names its options and succeeds', async (name) => {
  const { code, out } = await run([...name.split(' '), '--help']);
  expect([code, out]).toEqual([0, expect.stringContaining(`Usage: inventory ${name}`)]);
});

test('the help lists every command in its group, and the commands that write', async () => {
  const { code, out } = await run(['--help']);
  expect(code).toBe(0);
  const headings = out.split('\n').filter((text) => /^\S.*:$/.test(text));
  expect(headings).toEqual([
    'Options of every command:',
    ...commandGroups.map(({ title }) => `${title}:`),
    'One object, a field, or many:',
  ]);
  for (const { title, commands: all } of commandGroups) {
    const [, part = ''] = out.split(`\n${title}:\n`);
    const group = `\n${part.split('\n\n', 1).join()}`;
    for (const { name, isHidden } of all) expect(group.includes(`\n  ${name.split(' ')[0]!} `)).toBe(isHidden !== true);
  }
  const first = commands.map(({ name }) => name.split(' ')[0]);
  for (const [command] of writing) expect(first).toContain(command);
});

test('the help of each command and group names its options', async () => {
  for (const { name } of commands)
    for (const words of [name.split(' '), name.split(' ').slice(0, 1)])
      expect((await run([...words, '--help'])).out).toMatch(
        /\n\nOptions of every command \(-o, --context\): inventory --help\n$/,
      );
});

test("--version is the program's, without a server, and a command's option may share the name", async () => {
  const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(await run(['--version'], { env: {} })).toMatchObject({ code: 0, out: `inventory ${version}\n`, err: '' });
  const added = await run(
    words('add service versioned --type mysql --node-ids db-1 --address a --port 1 --version 8.4 -o json'),
  );
  expect(added.json()).toMatchObject({ service_name: 'versioned', version: '8.4' });
});

test.each([
  ['delete node/db-1', 'inventory remove (Remove objects)'],
  ['list nodes', 'inventory get (List nodes'],
  ['diff -f fleet.yaml', 'inventory plan (Compare'],
  ['undo', 'inventory restore (Restore a removal), inventory removed (List'],
  ['create node db-9', 'inventory add --help'],
  ['key delete x', 'inventory key remove (Remove an API key)'],
  ['--context x key ls', 'inventory key list ('],
])('%s leads to the command', async (text, hint) => {
  const { code, out, err } = await run(words(text));
  expect([code, out, err]).toEqual([64, '', expect.stringMatching(/^No such command: \w+\. See .*\.\n$/)]);
  expect(err).toContain(hint);
});

test('each hint leads to a command or a group that exists', () => {
  for (const word of Object.keys(meanings))
    expect([word, meantBy(word, undefined, commands)]).toEqual([word, expect.any(String)]);
  expect(meantBy('frobnicate', undefined, commands)).toBeUndefined();
  expect(meantBy('constructor', undefined, commands)).toBeUndefined();
  for (const { name } of commands) expect(Object.keys(meanings)).not.toContain(name);
});

test('summary names the regions and clusters of what needs attention', async () => {
  const { request, clock } = line.inventory;
  const { agents } = (await request('GET', `/v1/agents?runs_on_node_id=${ids[0]}`)).body;
  const agent = { agent_type: 'node_exporter', pmm_agent_id: agents[0].agent_id };
  const { agent_id: id } = (await request('POST', '/v1/agents', { body: agent })).body;
  const report = { agents: [{ agent_id: id, status: 'waiting' }] };
  expect((await request('POST', `/v1/agents/${agents[0].agent_id}/report`, { body: report })).status).toBe(200);
  // A summary is kept for a minute.
  clock.now = testTime(70_000);
  const { rows } = await run(['summary']);
  clock.now = undefined;
  expect(rows).toContainEqual(['waiting', 'agent', '1', '1 in eu', 'node_exporter on db-1']);
});

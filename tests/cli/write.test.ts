/** The commands that write, follow and move: objects, credentials, changes, lines. */
import { chmod, mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commands } from '../../clients/cli/src/table.ts';
import { turnOfTheLoop } from '../support/manual-clock.ts';
import { ADDRESS, type CommandLine, startCommandLine } from './command.ts';

let line: CommandLine;
let folder: string;
const run: CommandLine['inventoryCommand'] = (...call) => line.inventoryCommand(...call);
const get = async (kind: string, name: string) => (await run(['get', kind, name, '-o', 'json'])).json();
beforeAll(async () => (line = await startCommandLine()));
afterAll(() => line.stop());
beforeEach(async () => {
  folder = await mkdtemp(join(line.home, 'write-'));
  line.sent.length = 0;
});

async function file(text: string, name = 'file', mode = 0o600): Promise<string> {
  await writeFile(join(folder, name), text);
  await chmod(join(folder, name), mode);
  return join(folder, name);
}

const node = (name: string, ...more: string[]) =>
  run(['add', 'node', name, '--type', 'generic', '--address', `${name}.example`, ...more]);

describe('add and set', () => {
  test('build the body from options, a file and object names, and add refuses an existing name', async () => {
    expect(await node('add-1', '--label', 'team=dba', '--region', 'eu')).toMatchObject({
      code: 0,
      out: 'node/add-1 added\n',
    });
    expect((await node('add-1')).code).toBe(6);
    const service = await run([
      'add',
      'service',
      'add-db',
      '--type',
      'mysql',
      '--node-ids',
      'add-1',
      '-f',
      await file('address: 10.0.0.1\nport: 1\n'),
      '--port',
      '3306',
    ]);
    expect(service.code).toBe(0);
    expect(await get('service', 'add-db')).toMatchObject({
      address: '10.0.0.1',
      port: 3306,
      node_ids: [(await get('node', 'add-1')).node_id],
    });
    expect((await run(['add', 'agent', 'pmm_agent', '--runs-on-node-id', 'add-1'])).code).toBe(0);
    const exporter = await run([
      'add',
      'agent',
      'mysqld_exporter',
      '--pmm-agent-id',
      'add-1',
      '--insights-service-ids',
      'add-db',
      '--disabled',
      '-o',
      'json',
    ]);
    expect([exporter.code, exporter.json()]).toEqual([
      0,
      expect.objectContaining({ disabled: true, insights: expect.anything() }),
    ]);
  });

  test('set adds, changes or keeps an object', async () => {
    const set = (region: string) =>
      run(['set', 'node', 'set-1', '--type', 'generic', '--address', 'a', '--region', region]);
    expect([(await set('eu')).out, (await set('us')).out, (await set('us')).out]).toEqual([
      'node/set-1 added\n',
      'node/set-1 changed\n',
      'node/set-1 unchanged\n',
    ]);
  });

  test.each([
    [['add', 'node', 'x'], 64, /node_type/],
    [['add', 'service', 'x', '--type', 'mysql', '--port', 'y'], 64, /port is a number/],
    [['add', 'service', 'x', '--type', 'mysql', '--node-ids', 'absent'], 5, /no node absent/],
    [['add', 'node', 'x', '--type', 'y'], 64, /--type/],
    [['add', 'node', 'x', '--label', 'y'], 64, /--label/],
    [['change', 'node/add-1', 'colour=red'], 64, /No field of a node: colour/],
    [['change', 'node/add-1'], 64, /Not a change/],
    [['remove', 'node/add-1'], 64, /--yes/],
    [['wait', 'node/add-1', '--for', 'soon'], 64, /--for/],
    [['batch'], 64, /-f/],
    [['import'], 64, /Name files/],
    [['watch', '--kinds', 'x'], 64, /--kinds/],
    [['completion', 'csh'], 64, /bash, zsh, fish/],
    [['key', 'limit', 'x', 'many'], 64, /requests per minute/],
    [['report'], 64, /--agent/],
    [['enrol', 'x'], 64, /--token-file/],
  ])('%j ends with %i and one line', async (argv, code, message) => {
    const ended = await run(argv);
    expect([ended.code, ended.out, ended.err.trimEnd().split('\n').length]).toEqual([code, '', 1]);
    expect(ended.err).toMatch(message);
  });
});

describe('change', () => {
  test('sets, clears and merges labels with the revision that was read', async () => {
    await node('change-1', '--label', 'a=1', '--label', 'b=2', '--az', 'z');
    expect((await run(['change', 'node/change-1', 'region=eu', 'az-', 'label.a-', 'label.c=3'])).code).toBe(0);
    const changed = await get('node', 'change-1');
    expect([changed.region, changed.az, changed.custom_labels]).toEqual(['eu', undefined, { b: '2', c: '3' }]);
    const options = ['--region', 'us', '--model', 'm5', '--label', 'd=4', '--label', 'b-'];
    expect((await run(['change', 'node', 'change-1', ...options, 'label.c-'])).code).toBe(0);
    expect(await get('node', 'change-1')).toMatchObject({ region: 'us', node_model: 'm5', custom_labels: { d: '4' } });
  });

  test('of an object that somebody else changed shows both, asks, and repeats', async () => {
    await node('race-1');
    const { node_id: id } = await get('node', 'race-1');
    const race = async (answer: string) => {
      let isFirst = true;
      // Somebody else is faster once.
      const fetch: typeof line.fetch = async (url, init) => {
        if (init.method === 'PATCH' && isFirst) {
          isFirst = false;
          await line.inventory.request('PATCH', `/v1/nodes/${id}`, { body: { region: `eu-${answer}` } });
        }
        return line.fetch(url, init);
      };
      return run(['change', 'node/race-1', `az=${answer}`], { fetch, ask: () => Promise.resolve(answer) });
    };
    const declined = await race('n');
    expect([declined.code, declined.err]).toEqual([6, expect.stringContaining('region: was undefined, is "eu-n"')]);
    expect((await race('y')).code).toBe(0);
    expect(await get('node', 'race-1')).toMatchObject({ region: 'eu-y', az: 'y' });
  });
});

test('edit reopens the editor with the error until the text is valid, and removes its file', async () => {
  await node('edit-1', '--region', 'eu', '--label', 'a=1');
  // The first text is refused, the second one is right.
  const editor = await file(
    '#!/bin/sh\necho "$1" >> names\nif [ -e tried ]; then sed -i "s/^region: .*/region: us/; s/a:/b:/" "$1"; else touch tried; sed -i "s/^region: .*/region: 5/" "$1"; fi\n'.replaceAll(
      /names|tried/g,
      (name) => join(folder, name),
    ),
    'editor',
    0o700,
  );
  const env = { INVENTORY_URL: ADDRESS, INVENTORY_KEY: line.inventory.keys.Admin, EDITOR: editor };
  expect((await run(['edit', 'node/edit-1'], { env })).code).toBe(0);
  expect(await get('node', 'edit-1')).toMatchObject({ region: 'us', custom_labels: { b: '1' } });
  const names = (await readFile(join(folder, 'names'), 'utf8')).trim().split('\n');
  expect(names).toHaveLength(2);
  for (const name of names) await expect(stat(name)).rejects.toThrow('ENOENT');
  const same = await run(['edit', 'node/edit-1'], { env: { ...env, EDITOR: 'true' } });
  expect([same.code, same.err]).toEqual([0, 'Nothing was changed.\n']);
});

test('remove lists dependants in a dry run, refuses them, and removes them with --force; restore undoes it', async () => {
  await node('remove-1');
  await run(['add', 'agent', 'pmm_agent', '--runs-on-node-id', 'remove-1']);
  line.sent.length = 0;
  await node('remove-2');
  line.sent.length = 0;
  const dry = await run(['remove', 'node/remove-1', 'node/remove-2', '--dry-run', '--no-headers']);
  expect(dry.rows.map((row) => row.join(' '))).toEqual([
    'node/remove-1 -',
    'agent/pmm_agent on remove-1 node/remove-1',
    'node/remove-2 -',
  ]);
  expect(line.sent.filter((request) => !request.startsWith('GET '))).toEqual([]);
  expect((await run(['remove', 'node/remove-1', '-y'])).code).toBe(1);
  expect((await run(['remove', 'node/remove-1', '-y', '--force'])).out).toBe('node/remove-1 removed\n');
  expect((await run(['get', 'node', 'remove-1'])).code).toBe(5);
  const [removal] = (await run(['removed', '-o', 'json'])).json();
  expect((await run(['restore', removal.removal_id])).code).toBe(0);
  expect(await run(['history', 'node/remove-1'])).toMatchObject({ code: 0, out: expect.stringContaining('added') });
});

test('watch continues at its cursor and runs a command for each change, and waits end', async () => {
  await node('watch-1');
  const cursor = join(folder, 'cursor');
  const seen = join(folder, 'seen');
  const watch = () =>
    run(['watch', '--once', '--kinds', 'node', '--cursor-file', cursor, '--exec', `cat >> ${seen}; echo >> ${seen}`]);
  expect((await watch()).code).toBe(0);
  await run(['change', 'node/watch-1', 'region=eu']);
  await run(['change', 'node/watch-1', 'region=us']);
  // The feed may be behind for a moment.
  let lines: any[] = [];
  while (lines.filter(({ after }) => after?.region === 'us').length === 0) {
    line.inventory.passing.advance(1000);
    expect((await watch()).code).toBe(0);
    lines = (await readFile(seen, 'utf8').catch(() => ''))
      .split('\n')
      .filter(Boolean)
      .map((text) => JSON.parse(text));
  }
  expect((await run(['watch', '--once', '--since', '0', '--exec', 'exit 1'])).code).not.toBe(0);
  expect((await run(['wait', 'node/watch-1', '--for', 'region=us'])).code).toBe(0);
  expect((await run(['wait', 'node/absent', '--for', 'removed'])).code).toBe(0);
  expect((await run(['wait', 'node/watch-1', '--for', 'live', '--timeout', '1ms'])).code).toBe(7);
});

test('export, import and batch work', async () => {
  const exported = await run(['export']);
  expect(exported.out.trimEnd().split('\n').at(-1)).toBe('{"kind":"end","complete":true}');
  const again = await run(['import', '--dry-run', '-'], { readInput: () => Promise.resolve(exported.out) });
  expect(again).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Would be: 0 added, 0 changed, \d+ unchanged, 0 refused\.\n$/),
  });
  const operations = [
    { op: 'addNode', ref: 'n', body: { node_type: 'generic', node_name: 'batch-1', address: 'a' } },
    { op: 'addNode', body: { node_type: 'generic', node_name: 'batch-1', address: 'a' } },
  ];
  const batch = await run(['batch', '-f', await file(JSON.stringify(operations)), '-o', 'json']);
  expect([batch.code, batch.json().map((result: any) => result.status)]).toEqual([4, [201, 409]]);
});

const words = (text: string) => text.split(' ');

test('a silence is added, listed, and ended by its selector', async () => {
  await run(words('add service silenced --type mysql --address silenced.example.com --port 3306 --cluster orders'));
  const added = await run([...words('silence add cluster=orders --reason Upgrade --time-to-live 8h'), '-o', 'json']);
  expect(added.json()).toMatchObject({ selector: 'cluster=orders', reason: 'Upgrade' });
  const { rows } = await run(words('silence list'));
  expect(rows.map((row) => row.slice(0, 2))).toEqual([
    ['SELECTOR', 'REASON'],
    ['cluster=orders', 'Upgrade'],
  ]);
  expect((await run(words('silence add cluster=orders --time-to-live 40d'))).code).toBe(64);
  expect(await run(words('silence end cluster=other -y'))).toMatchObject({ code: 5, err: /no silence cluster=other/ });
  expect((await run(words('silence end cluster=orders -y'))).code).toBe(0);
  expect((await run([...words('silence list'), '-o', 'json'])).json()).toEqual([]);
});

describe('credentials', () => {
  test('a key is added into a file, rotated where it is stored, limited and removed', async () => {
    const out = join(folder, 'key');
    const added = await run(['key', 'add', 'pipeline', '--role', 'Editor', '--out', out]);
    const first = await readFile(out, 'utf8');
    expect([added.code, (await stat(out)).mode & 0o777, added.out]).toEqual([
      0,
      0o600,
      expect.not.stringContaining(first.trim()),
    ]);
    const env = { INVENTORY_URL: ADDRESS, INVENTORY_KEY_FILE: out };
    expect((await run(['key', 'rotate'], { env })).code).toBe(0);
    const second = await readFile(out, 'utf8');
    expect(second).not.toBe(first);
    expect(await run(['key', 'rotate', '--quiet'], { env })).toMatchObject({ code: 0, out: '', err: '' });
    const quiet = await run(['key', 'rotate', 'pipeline', '--out', out, '--quiet']);
    expect([quiet.code, quiet.out, quiet.err]).toEqual([0, '', '']);
    expect((await run(['key', 'rotate', '-q', '-o', 'name'], { env })).out).toBe('pipeline\n');
    expect(await readFile(out, 'utf8')).not.toBe(second);
    expect((await run(['whoami', '-o', 'json'], { env })).json().name).toBe('pipeline');
    expect((await run(['key', 'limit', 'pipeline', '60'])).code).toBe(0);
    expect((await run(['key', 'list', '-o', 'json', '--name-prefix', 'pipeline'])).json()).toMatchObject([
      { rate_limit_per_minute: 60 },
    ]);
    expect((await run(['key', 'disable', 'pipeline'])).code).toBe(0);
    expect((await run(['whoami'], { env })).code).toBe(3);
    expect((await run(['key', 'enable', 'pipeline'])).code).toBe(0);
    expect((await run(['whoami'], { env })).code).toBe(0);
    expect((await run(['key', 'remove', 'pipeline', '-y'])).code).toBe(0);
    expect((await run(['whoami'], { env })).code).toBe(3);
  });

  test('a secret that cannot be written to its file is not made', async () => {
    const out = join(folder, 'nowhere', 'key');
    line.sent.length = 0;
    expect((await run(['key', 'add', 'lost', '--role', 'Viewer', '--out', out])).code).toBe(64);
    expect((await run(['token', 'add', 'lost', '--out', out])).code).toBe(64);
    expect((await run(['key', 'rotate', '--out', out])).code).toBe(64);
    expect(line.sent).toEqual([]);
  });

  test('a host enrols with a token, and reports with its key', async () => {
    const token = await run(['token', 'add', 'hosts', '--allowed-addresses', '*']);
    const tokenFile = await file(token.out, 'token');
    const out = join(folder, 'host-key');
    const env = { INVENTORY_URL: ADDRESS };
    const enrolled = await run(
      ['enrol', 'host-1', '--address', 'host-1.example', '--token-file', tokenFile, '--out', out],
      { env },
    );
    expect([enrolled.code, enrolled.err]).toEqual([0, '']);
    const environment = { INVENTORY_URL: ADDRESS, INVENTORY_KEY_FILE: out };
    expect((await run(['report'], { env: environment })).code).toBe(0);
    expect((await run(['report', '-o', 'json'], { env: environment })).json()).toMatchObject({ taken: 1 });
    expect((await get('node', 'host-1')).state).toBe('live');
    const units = (await run(['report', '--systemd'])).out;
    expect(units.match(/^# \/etc\/systemd\/system\/.*$/gm)).toHaveLength(4);
    expect(units.match(/^On(UnitActiveSec|Calendar)=.*$/gm)).toEqual(['OnUnitActiveSec=60s', 'OnCalendar=weekly']);
  });

  test('a host writes changed scrape targets, readable by a scraper', async () => {
    const token = await run(['token', 'add', 'targets', '--allowed-addresses', '*']);
    const out = join(folder, 'targets-key');
    const enrol = ['enrol', 'host-2', '--address', 'host-2.example', '--out', out];
    const tokenFile = await file(token.out, 'targets-token');
    await run([...enrol, '--token-file', tokenFile], { env: { INVENTORY_URL: ADDRESS } });
    const targets = join(folder, 'targets.json');
    const report = async () => {
      const from = line.sent.length;
      const { code } = await run(['report', '--targets', targets, '-q'], {
        env: { INVENTORY_URL: ADDRESS, INVENTORY_KEY_FILE: out },
      });
      const isFetched = line.sent.slice(from).some((sent) => JSON.stringify(sent).includes('/v1/discovery/'));
      return [code, isFetched, JSON.parse(await readFile(targets, 'utf8')).map((group: any) => group.targets[0])];
    };
    expect(await report()).toEqual([0, true, []]);
    expect(await report()).toEqual([0, false, []]);
    expect((await stat(targets)).mode & 0o777).toBe(0o644);
    const agents = (await run(['get', 'agents', '--filter', 'agent_type=pmm_agent', '-o', 'json'])).json();
    const { node_id: node } = await get('node', 'host-2');
    const process = agents.find((agent: any) => agent.runs_on_node_id === node).agent_id;
    const add = ['add', 'agent', 'node_exporter', '--pmm-agent-id', process, '--listen-port', '42000'];
    expect((await run(add)).code).toBe(0);
    expect(await report()).toEqual([0, true, ['127.0.0.1:42000']]);
    expect(await report()).toEqual([0, false, ['127.0.0.1:42000']]);
  });

  test('a declared host is declared, reports, and is removed at the end', async () => {
    const controller = new AbortController();
    const declared = await file(
      'node: { node_type: generic, node_name: pod-1, address: pod-1.example }\nservices: [{ service_type: mysql, service_name: pod-db, address: 127.0.0.1, port: 3306 }]\nagents: [{ agent_type: mysqld_exporter, service_names: [pod-db] }]\n',
    );
    const status = ['--status', 'mysqld_exporter/pod-db=running'];
    const statuses = await file('- { agent: mysqld_exporter, status: starting, listen_port: 42001 }\n', 'statuses');
    expect((await run(['report', '--declare', declared, '--statuses', statuses, '-q'])).code).toBe(0);
    const reported = async () =>
      (await run(['get', 'agents', '-o', 'json']))
        .json()
        .filter((agent: any) => agent.agent_type === 'mysqld_exporter' && agent.reported_at);
    expect(await reported()).toMatchObject([{ status: 'starting', listen_port: 42001 }]);
    line.sent.length = 0;
    const running = run(['report', '--follow', '--declare', declared, '--remove-at-exit', '-q', ...status], {
      signal: controller.signal,
    });
    while (!line.sent.some((request) => request.endsWith('/report'))) await turnOfTheLoop();
    while ((await reported())[0]?.status !== 'running') await turnOfTheLoop();
    expect(await reported()).toMatchObject([{ pmm_agent_id: expect.any(String) }]);
    const impossible = await run(['report', '--declare', declared, '--status', 'mysqld_exporter=done', '-q']);
    expect([impossible.code, impossible.err]).toEqual([4, expect.stringMatching(/^agent [\w-]{36}: Cannot be done/)]);
    controller.abort();
    await running;
    expect((await run(['get', 'node', 'pod-1'])).code).toBe(5);
  });
});

/** Follows a declared host of a server that names an address for reports, until its first report. */
async function followWith(reportUrl: string) {
  const other = await startCommandLine({ reportUrl });
  const controller = new AbortController();
  const reports: [url: string, authorization: string | null][] = [];
  const fetch: CommandLine['fetch'] = async (url, init) => {
    if (!url.startsWith(`${ADDRESS}/`)) reports.push([url, new Headers(init.headers).get('Authorization')]);
    const reply = await other.fetch(url.replace(reportUrl, ADDRESS), init);
    if (url.endsWith('/report')) controller.abort();
    return reply;
  };
  const declared = await file('node: { node_type: generic, node_name: far-1, address: far-1.example }\n');
  const argv = ['report', '--follow', '--declare', declared, '-q'];
  const { err } = await other.inventoryCommand(argv, { fetch, signal: controller.signal });
  await other.stop();
  return { err, reports, authorization: `Bearer ${other.inventory.keys.Admin}` };
}

test("a host that follows reports to the server's address with its key, and does nothing else there", async () => {
  const { reports, authorization } = await followWith('https://reports.example/live');
  const path = /^https:\/\/reports\.example\/live\/v1\/agents\/[\w-]{36}\/report$/;
  expect(reports).toEqual([[expect.stringMatching(path), authorization]]);
});

test('a key is not sent to an address for reports without TLS', async () => {
  const { reports, err } = await followWith('http://reports.example/live');
  expect([reports, err]).toEqual([[], expect.stringContaining('without TLS: http://reports.example/live')]);
});

test.each([
  ['mysqld_exporter=running', /No declared agent is mysqld_exporter: give its id/],
  ['running', /--status is no agent=status/],
  ['00000000-0000-4000-8000-000000000001=fine', /status/],
])('the status %s is refused', async (status, message) => {
  await node('status-1');
  const id = (await run(['set', 'agent', 'pmm_agent', '--runs-on-node-id', 'status-1', '-o', 'json'])).json().agent_id;
  const { code, err } = await run(['report', '--agent', id, '--status', status]);
  expect([code, err]).toEqual([64, expect.stringMatching(message)]);
});

test("the server's lists are printed: audit, sessions, tokens, targets, cleanup", async () => {
  for (const argv of [
    ['audit', '--limit', '3'],
    ['session', 'list'],
    ['token', 'list'],
    ['targets'],
    ['cleanup', '--dry-run'],
  ])
    expect([argv, (await run(argv)).code]).toEqual([argv, 0]);
});

test('completion proposes commands, options, words, kinds and names, and is silent without a server', async () => {
  await node('complete-1');
  const of = async (text: string, env?: Record<string, string>) =>
    (await run(['__complete', '--', text], env && { env })).out.trim().split('\n');
  expect(await of('inventory desc')).toEqual(['describe']);
  expect(await of('inventory key r')).toEqual(['rotate', 'remove']);
  expect(await of('inventory get nodes --sel')).toEqual(['--selector']);
  expect(await of('inventory get nodes -o m')).toEqual(['markdown']);
  expect(await of('inventory get n')).toEqual(['nodes']);
  expect(await of('inventory describe no')).toEqual(['node/']);
  expect(await of('inventory describe node/compl')).toEqual(['node/complete-1']);
  expect(await of('inventory describe node/compl', { INVENTORY_URL: ADDRESS })).toEqual(['']);
  for (const shell of ['bash', 'zsh', 'fish']) expect((await run(['completion', shell])).out).toContain('__complete');
});

test('no option contains a key, a password or a token itself', async () => {
  for (const { load } of commands)
    for (const { flags } of (await load()).options ?? []) expect(flags).not.toMatch(/--(key|password|token|secret) </);
});

test('no command shows the key or passes it to another program, also with --debug', async () => {
  await node('canary-1');
  const key = line.inventory.keys.Viewer;
  const seen = join(folder, 'arguments');
  const env = {
    INVENTORY_URL: ADDRESS,
    INVENTORY_KEY: key,
    EDITOR: await file(`#!/bin/sh\necho "$@" >> ${seen}\n`, 'editor', 0o700),
  };
  const words: Record<string, string> = {
    object: 'node/canary-1',
    kind: 'nodes',
    method: 'GET',
    path: '/v1/nodes',
    shell: 'bash',
  };
  const more: Record<string, string[]> = {
    watch: ['--once'],
    wait: ['--for', 'live', '--timeout', '1ms'],
    apply: ['-f', '/dev/null'],
  };
  let shown = '';
  for (const { name, args = '' } of commands) {
    const given = [...args.matchAll(/<(\w+)/g)].map(([, word = '']) => words[word] ?? 'x');
    const { out, err } = await run([...name.split(' '), ...given, ...(more[name] ?? []), '--debug'], { env });
    shown += out + err;
  }
  expect(shown).toContain(`GET ${ADDRESS}/v1/nodes`);
  shown += await readFile(seen, 'utf8');
  expect(shown).not.toContain(key.slice(-20));
});

test('users are added with an invitation, changed, disabled, invited again and removed', async () => {
  const file = join(line.home, 'invitation');
  const rightsOf = async () => {
    const { users } = (await line.inventory.request('GET', '/v1/users')).body;
    const user = users.find(({ user_id: id }: any) => id === 'cli.user');
    return user && [user.role, user.owners, user.state];
  };
  const added = await run(['user', 'add', 'cli.user', '--role', 'Editor', '--owners', 'dba,shop', '--out', file]);
  expect([added.code, await rightsOf()]).toEqual([0, ['Editor', ['dba', 'shop'], 'invited']]);
  const invitation = await readFile(file, 'utf8');
  expect(invitation).toMatch(/^minv_invite_/);
  expect(added.out + added.err).not.toContain(invitation.trim());
  expect((await run(['user', 'list', '-o', 'name'])).out).toContain('cli.user');
  expect((await run(['user', 'set', 'cli.user', '--owners', ''])).code).toBe(0);
  expect(await rightsOf()).toEqual(['Editor', undefined, 'invited']);
  expect((await run(['user', 'set', 'cli.user', '--role', 'Viewer'])).code).toBe(0);
  expect((await run(['user', 'disable', 'cli.user'])).code).toBe(0);
  expect(await rightsOf()).toEqual(['Viewer', undefined, 'disabled']);
  expect((await run(['user', 'enable', 'cli.user'])).code).toBe(0);
  const again = await run(['user', 'invite', 'cli.user', '--invitation-time-to-live', '1h', '--out', file]);
  expect([again.code, (await readFile(file, 'utf8')) === invitation]).toEqual([0, false]);
  expect((await run(['user', 'end-sessions', 'cli.user'])).code).toBe(0);
  expect((await run(['user', 'remove', 'cli.user', '-y'])).code).toBe(0);
  expect(await rightsOf()).toBeUndefined();
  expect((await run(['user', 'disable', 'cli.user'])).err).toContain('There is no user cli.user.');
});

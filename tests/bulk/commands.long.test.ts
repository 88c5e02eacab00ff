import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { https } from '../support/https.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { agents, nodes, services } from './pmm-replies.ts';

const PASSWORD = 'correct horse battery staple';
const program = fileURLToPath(new URL('../../clients/cli/src/main.ts', import.meta.url));

let folder: string;
let server: RunningServer;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  folder = await newDataDir();
  server = await startServer(folder, { environment: { ADMIN_PASSWORD: PASSWORD } });
  const { body } = await https(server.base, 'POST', '/v1/api-keys', {
    headers: { Authorization: `Basic ${btoa(`admin:${PASSWORD}`)}` },
    body: { name: 'mover', role: 'Admin' },
  });
  environment = {
    ...process.env,
    INVENTORY_URL: server.base,
    INVENTORY_KEY: body.key,
    NODE_EXTRA_CA_CERTS: join(folder, 'tls-cert.pem'),
  };
});

afterAll(async () => {
  await server.stop();
  await removeDataDir(folder);
});

async function run(name: string, args: string[], { input = '', more = {} }: { input?: string; more?: object } = {}) {
  const child = spawn(process.execPath, [program, name, ...args], { env: { ...environment, ...more } });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number];
  return { code, stdout, stderr };
}

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

const node = (number: number) => ({
  kind: 'node',
  object: {
    node_id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    node_type: 'generic',
    node_name: `n${number}`,
    address: 'a',
  },
});
const lines = (values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');

test('the inventory of a PMM server is inspected, imported, exported, and imported again without a change', async () => {
  const files = [
    await file('nodes.json', JSON.stringify(nodes)),
    await file('services.json', JSON.stringify(services)),
    await file('agents.json', JSON.stringify(agents)),
  ];
  const rehearsed = await run('import', ['--from-pmm', '--dry-run', ...files]);
  expect(rehearsed).toMatchObject({ code: 0, stdout: 'Would be: 17 added, 0 changed, 0 unchanged, 0 refused.\n' });
  expect(rehearsed.stderr).toContain('aws_access_key omitted: is a credential');
  expect((await run('export', [])).stdout).toBe('{"kind":"end","complete":true}\n');

  const imported = await run('import', ['--from-pmm', ...files]);
  expect(imported).toMatchObject({ code: 0, stdout: '17 added, 0 changed, 0 unchanged, 0 refused.\n' });
  const exported = await run('export', []);
  expect(exported.stdout.trim().split('\n')).toHaveLength(18);
  const again = await run('import', ['-'], { input: exported.stdout });
  expect(again).toEqual({ code: 0, stdout: '0 added, 0 changed, 17 unchanged, 0 refused.\n', stderr: '' });
});

test('a file longer than one request is sent in parts, and a dry run of a part knows the earlier parts', async () => {
  const many = Array.from({ length: 1001 }, (_, index) => node(index));
  const service = {
    kind: 'service',
    object: {
      service_id: '00000000-0000-4000-9000-000000000001',
      service_type: 'external',
      service_name: 'late',
      node_ids: [node(3).object.node_id],
    },
  };
  const long = await file('long.ndjson', lines([...many, service]));
  expect((await run('import', ['--dry-run', long])).stdout).toBe(
    'Would be: 1002 added, 0 changed, 0 unchanged, 0 refused.\n',
  );
  expect((await run('import', [long])).stdout).toBe('1002 added, 0 changed, 0 unchanged, 0 refused.\n');
  const { stdout } = await run('export', []);
  expect(stdout).toContain('"service_name":"late"');
});

test('a refused line is named by its number, and the command fails', async () => {
  const taken = { kind: 'node', object: { ...node(2001).object, node_name: 'taken' } };
  const other = { kind: 'node', object: { ...node(2002).object, node_name: 'taken' } };
  const refused = await run('import', [await file('taken.ndjson', `\n${lines([taken, other])}`)]);
  expect(refused).toEqual({
    code: 4,
    stdout: '1 added, 0 changed, 0 unchanged, 1 refused.\n',
    stderr: `line 3: node ${other.object.node_id}: Node with name "taken" already exists.\n`,
  });
});

test('mistakes are reported in a sentence, without the key', async () => {
  const key = environment['INVENTORY_KEY']!;
  const cases: [string[], object, RegExp, number][] = [
    [[], {}, /Name files/, 64],
    [['no such file'], {}, /no such file/, 64],
    [['-'], { INVENTORY_KEY: undefined }, /INVENTORY_KEY/, 3],
    [['-'], { INVENTORY_KEY: 'minv_wrong' }, /Invalid API key/, 3],
    [['--from-pmm', await file('broken.json', '{')], {}, /broken\.json is not JSON/, 64],
    [['--from-pmm', await file('error.json', '{"code":16,"message":"no"}')], {}, /Nothing was imported/, 1],
    [[await file('odd.ndjson', '{"a":1}\n')], {}, /Line 1 is not a line/, 64],
  ];
  for (const [args, more, expected, code] of cases) {
    const { code: ended, stderr, stdout } = await run('import', args, { input: lines([node(1)]), more });
    expect([args, ended, stderr]).toEqual([args, code, expect.stringMatching(expected)]);
    expect(stderr + stdout).not.toContain(key);
  }
});

test('refused lines are named with their fields, written to a file, corrected and imported', async () => {
  const wrong = node(9001);
  wrong.object.address = '169.254.169.254';
  const source = await file('refused-source.ndjson', lines([node(9000), wrong]));
  const refused = join(folder, 'refused.ndjson');
  const first = await run('import', ['--refused', refused, source]);
  expect(first).toMatchObject({ code: 4, stdout: '1 added, 0 changed, 0 unchanged, 1 refused.\n' });
  expect(first.stderr).toMatch(/^line 2: node \S+9001: address: Must not be a loopback, link-local/);
  const left = await readFile(refused, 'utf8');
  expect(left).toBe(lines([wrong]));
  const corrected = await file('corrected.ndjson', left.replace('169.254.169.254', '10.0.0.1'));
  expect(await run('import', [corrected])).toMatchObject({
    code: 0,
    stdout: '1 added, 0 changed, 0 unchanged, 0 refused.\n',
  });
});

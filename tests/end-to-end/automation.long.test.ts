import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { https, newDataDir, removeDataDir, type RunningServer, startServer } from '../support/server.ts';
import { buildCommandLine } from '../../tools/package-cli.ts';
import { makeKeys, PASSWORD } from './client.ts';

let server: RunningServer;
let key: string;
let text: string;

beforeAll(async () => {
  server = await startServer(await newDataDir(), { environment: { ADMIN_PASSWORD: PASSWORD } });
  key = (await makeKeys(server)).keys.Editor;
  text = await readFile(new URL('../../docs/automation.md', import.meta.url), 'utf8');
});
afterAll(async () => {
  await server.stop();
  await removeDataDir(server.dataDir);
});

test('docs/automation.md: the commands print the lines below them', async () => {
  const bin = join(server.dataDir, 'bin');
  await mkdir(bin);
  await buildCommandLine(join(bin, 'inventory'));
  const commands = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block).join('');
  const env = {
    PATH: [bin, dirname(process.execPath), process.env['PATH']].join(delimiter),
    HOME: server.dataDir,
    INVENTORY_URL: server.base,
    INVENTORY_KEY: key,
    INVENTORY_CA: join(server.dataDir, 'tls-cert.pem'),
  };
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-euc', commands], { env });
  const expected = commands.split('\n').flatMap((line) => (line.startsWith('# ') ? [line.slice(2)] : []));
  expect(expected.length).toBeGreaterThan(4);
  const printed = stdout.trimEnd().replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>');
  expect(printed.split('\n')).toEqual(expected);
});

describe('the function that follows an autoscaling group', () => {
  let folder: string;
  let file: string;
  beforeAll(async () => {
    const [, section = ''] = text.split('\n## A function that follows');
    const [, code = ''] = /^```ts\n([\s\S]*?)^```$/m.exec(section) ?? [];
    expect(code.trim().split('\n').length).toBeLessThanOrEqual(40);
    folder = await mkdtemp(join(tmpdir(), 'autoscaling-'));
    file = join(folder, 'handler.mts');
    await writeFile(file, code);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const name = 'i-0123456789abcdef0';

  /** Calls it as Lambda would, in a process of its own. */
  async function invoke(what: string): Promise<void> {
    const detail = {
      EC2InstanceId: name,
      AutoScalingGroupName: 'databases',
      Details: { 'Availability Zone': 'eu-central-1a' },
    };
    const event = { 'detail-type': `EC2 Instance ${what} Successful`, region: 'eu-central-1', detail };
    const call = `const { handler } = await import(${JSON.stringify(file)}); await handler(${JSON.stringify(event)});`;
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', call], {
      env: {
        INVENTORY_URL: server.base,
        INVENTORY_KEY: key,
        NODE_EXTRA_CA_CERTS: join(server.dataDir, 'tls-cert.pem'),
      },
    });
  }

  const nodes = async () => {
    const headers = { Authorization: `Bearer ${key}` };
    const selector = encodeURIComponent('autoscaling_group=databases');
    const reply = await https(server.base, 'GET', `/v1/nodes?selector=${selector}`, { headers });
    return reply.body.nodes;
  };

  test('lists an instance that was launched, once however often it hears of it, and not one that has ended', async () => {
    await invoke('Launch');
    await invoke('Launch');
    expect(await nodes()).toMatchObject([{ node_name: name, az: 'eu-central-1a', revision: 1 }]);
    await invoke('Terminate');
    await invoke('Terminate');
    expect(await nodes()).toEqual([]);
  });
});

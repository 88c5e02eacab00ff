/**
 * A private certificate, a proxy, and a key with a final line break: the TypeScript client, the command line, and the functions of the
 * CDK, with the commands of their pages. `tests/python-client`, `tests/terraform` and `tests/ansible` have the other clients.
 */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { clientFor } from '../../clients/cdk/src/connection.ts';
import { getCaller } from '../../clients/typescript/src/index.ts';
import { buildClientPackage } from '../../tools/package-client.ts';
import { buildCommandLinePackage } from '../../tools/package-cli.ts';
import { systemNode } from '../cli/system-node.ts';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { type PrivateServer, startPrivateServer } from './private-server.ts';

const run = promisify(execFile);

let folder: string;
let server: PrivateServer;
beforeAll(async () => {
  folder = await newDataDir();
  server = await startPrivateServer();
});
afterAll(async () => {
  await server.stop();
  await removeDataDir(folder);
});

const page = (name: string) => readFile(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8');

test("the TypeScript client connects with its page's example", async () => {
  const project = join(folder, 'project');
  await mkdir(project);
  const file = await buildClientPackage(join(folder, 'client'));
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', file], { cwd: project });
  await copyFile(server.ca, join(project, 'tls-cert.pem'));
  const [, example = ''] = /## Certificates and proxies[^]*?```ts\n([^]*?)```/.exec(await page('typescript')) ?? [];
  await writeFile(join(project, 'example.mts'), example.replace('https://inventory.example', server.url));
  const { PATH = '' } = process.env;
  const env = { PATH, HTTPS_PROXY: server.variables.HTTPS_PROXY, INVENTORY_KEY: `${server.key}\n` };
  const { stdout } = await run(process.execPath, ['example.mts'], { cwd: project, env });
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(server.tunnels()).toBe(1);
});

interface Output {
  code: number;
  stdout: string;
  stderr: string;
}

describe('the command line', () => {
  let home: string;
  beforeAll(async () => {
    home = join(folder, 'home');
    await mkdir(home);
    await buildCommandLinePackage(join(folder, 'cli'));
  });

  /** Runs a line of a page in a shell. */
  const shell = (line: string, cwd: string, env: Record<string, string>, node = process.execPath): Promise<Output> =>
    run('sh', ['-c', `inventory() { '${node}' '${join(folder, 'cli/start.cjs')}' "$@"; }; ${line}`], {
      cwd,
      env: { PATH: process.env['PATH'] ?? '', HOME: home, ...env },
    }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error: unknown) => error as Output,
    );

  test('connects after a log-in with a relative path, also in another folder', async () => {
    const { HTTPS_PROXY } = server.variables;
    const data = dirname(server.ca);
    expect(await page('cli')).toContain('inventory login https://localhost:8443 --ca .data/tls-cert.pem');
    const line = `inventory login ${server.url} --ca ${relative(data, server.ca)} --key-stdin < key`;
    expect(await shell(line, data, { HTTPS_PROXY })).toMatchObject({ code: 0 });
    const get = await shell('inventory get nodes -o json', '/', { HTTPS_PROXY });
    expect(get).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
    expect(server.tunnels()).toBe(2);
  });

  test("says so with a Node without proxies, such as the system's", async () => {
    const node = systemNode();
    const { stdout } = await run(node, ['-p', 'process.allowedNodeEnvironmentFlags.has("--use-env-proxy")']);
    const { stderr } = await shell('inventory get nodes -q', '/', server.variables, node);
    expect(stderr.includes('uses no proxy: Node 22.21 and 24.5 do')).toBe(stdout === 'false\n');
    expect(server.tunnels()).toBe(stdout === 'false\n' ? 0 : 1);
  });

  test("connects with its page's variables, and doctor names the remedy of each", async () => {
    const { INVENTORY_CA, HTTPS_PROXY, ...rest } = server.variables;
    const all = { ...rest, INVENTORY_CA, HTTPS_PROXY };
    expect(await shell('inventory get nodes -o json', '/', all)).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
    const doctor = await shell('inventory doctor -o json', '/', all);
    expect([doctor.code, JSON.parse(doctor.stdout).map((row: any) => [row.check, row.result])]).toEqual([
      0,
      ['address', 'name', 'server', 'clock', 'key', 'version'].map((check) => [check, 'ok']),
    ]);
    server.tunnels();

    const untrusted = await shell('inventory doctor -o json', '/', { ...rest, HTTPS_PROXY });
    const [failed] = JSON.parse(untrusted.stdout).slice(-1);
    expect([untrusted.code, failed]).toEqual([
      64,
      {
        check: 'server',
        result: 'failed',
        detail: `${server.url} is not trusted: Error: self-signed certificate. Use --ca FILE; of npm start: DATA_DIR/tls-cert.pem.`,
      },
    ]);
    const unknown = await shell('inventory doctor -o json', '/', { ...rest, INVENTORY_CA });
    expect([unknown.code, JSON.parse(unknown.stdout).at(-1)]).toEqual([
      expect.any(Number),
      { check: 'name', result: 'failed', detail: expect.stringContaining('ENOTFOUND') },
    ]);
  });
});

test("the CDK functions connect with their page's secret and the unchanged key file, without a proxy", async () => {
  expect(await page('cdk')).toContain(
    'inventory key add shop --role Editor --out key\naws secretsmanager create-secret --name shop --secret-string file://key',
  );
  const Ca = await readFile(server.ca, 'utf8');
  const connection = { Url: server.server.base, SecretArn: 'arn:key', Ca };
  server.tunnels();
  const client = clientFor(connection, () => readFile(server.keyFile, 'utf8'));
  expect(await getCaller(client)).toMatchObject({ role: 'Admin' });
  expect(server.tunnels()).toBe(0);
  const { Ca: _, ...untrusting } = connection;
  const refused = getCaller(clientFor(untrusting, () => readFile(server.keyFile, 'utf8')));
  await expect(refused).rejects.toThrow(
    `${server.server.base} is not trusted: Error: self-signed certificate. Use inventory.ca;`,
  );
});

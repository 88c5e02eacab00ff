/** The commands for a server on one machine in run-for-a-team.md, one-machine.md and repairs.md, run as they stand there. */
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { blocksIn } from '../support/fenced-blocks.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { basic, bodyOf, type Client, clientOf, PASSWORD } from './client.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const MARK = 'run: tests/end-to-end/one-machine-documents.long.test.ts';
const environment = { ADMIN_PASSWORD: PASSWORD };
const textOf = (page: string) => readFile(join(root, 'docs', page), 'utf8');

/** The only marked block of a page that contains a text. */
async function blockOf(page: string, part: string): Promise<string> {
  const blocks = blocksIn(await textOf(page)).filter(({ comment, code }) => comment === MARK && code.includes(part));
  expect([part, blocks.length]).toEqual([part, 1]);
  return blocks[0]!.code;
}

let folder: string;
let dataDir: string;
const servers: RunningServer[] = [];
beforeEach(async () => {
  folder = await newDataDir();
  dataDir = join(folder, '.data');
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
  await removeDataDir(folder);
});

async function start(variables: Record<string, string> = {}, data = dataDir): Promise<RunningServer> {
  const server = await startServer(data, { environment: { ...environment, ...variables } });
  servers.push(server);
  return server;
}

async function bash(commands: string, more: Record<string, string> = {}): Promise<string> {
  const env = { ...process.env, HOME: folder, ...more };
  return (await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', commands], { cwd: folder, env }))
    .stdout;
}

const adminOf = (server: RunningServer) => clientOf(server, basic('admin', PASSWORD));
const node = { node_type: 'generic', node_name: 'db-1', address: 'db-1.example.com' };
const nodesOf = async (client: Client) => bodyOf(await client('GET', '/v1/nodes'), 200).nodes;

test('the backup of a running server contains its acknowledged writes', async () => {
  const server = await start();
  bodyOf(await adminOf(server)('POST', '/v1/nodes', { body: node }), 201);
  const command = await blockOf('run-for-a-team.md', 'backup');
  const target = join(folder, 'inventory-');
  const here = command.replace('/var/lib/inventory', dataDir).replace('/var/backups/inventory-', target);
  expect(here.split(folder)).toHaveLength(3);
  await bash(`cd '${root}'\n${here}`);
  const [copy] = (await bash(`echo '${target}'*`)).trim().split(' ');
  expect(await nodesOf(adminOf(await start({}, copy)))).toMatchObject([node]);
});

test('the files of a removed database are copied from the server that has them open', async () => {
  const server = await start();
  bodyOf(await adminOf(server)('POST', '/v1/nodes', { body: node }), 201);
  for (const end of ['', '-wal', '-shm']) await rm(join(dataDir, `inventory.sqlite${end}`), { force: true });
  await bash(await blockOf('repairs.md', 'mkdir saved'));
  await server.stop('SIGKILL');
  await cp(join(folder, 'saved'), dataDir, { recursive: true });
  expect(await nodesOf(adminOf(await start()))).toMatchObject([node]);
});

/** The variables before `npm start` in a block, with an address of this machine. */
const variablesIn = (block: string): Record<string, string> => {
  const pairs = [...block.matchAll(/(\w+)=(\S+)(?= )/g)].map(([, name = '', value = '']) => [name, value]);
  return { ...Object.fromEntries(pairs), HOST: '127.0.0.1' };
};

/** Makes curl ask this server for the name in the documents. */
const findServer = (server: RunningServer) =>
  writeFile(
    join(folder, '.curlrc'),
    `silent\nshow-error\nfail\nresolve = "inventory.example.com:${server.port}:127.0.0.1"\n`,
  );

test("the server's certificate has the names of TLS_NAMES, and a client trusts its copy", async () => {
  const server = await start(variablesIn(await blockOf('one-machine.md', 'TLS_NAMES=')));
  await findServer(server);
  await cp(join(dataDir, 'tls-cert.pem'), join(folder, 'tls-cert.pem'));
  const command = await blockOf('one-machine.md', 'curl --cacert');
  expect(await bash(command.replace(':8443', `:${server.port}`))).toBe('{}');
});

test('a custom certificate is served', async () => {
  const files = join(folder, 'own');
  await mkdir(files);
  await bash(
    `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=own \\
      -addext subjectAltName=DNS:inventory.example.com -keyout own/key.pem -out own/cert.pem 2>&1`,
  );
  const block = (await blockOf('one-machine.md', 'TLS_CERT_FILE=')).replaceAll('/etc/inventory', files);
  const server = await start(variablesIn(block));
  await findServer(server);
  const reply = await bash(`curl --cacert own/cert.pem https://inventory.example.com:${server.port}/v1/readyz`);
  expect(reply).toBe('{}');
});

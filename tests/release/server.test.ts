/** docs/server.md: the package of the server in an empty folder, with the Node of the system. */
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { run } from '../deploy/processes.ts';
import { fencedBlocks } from '../support/fenced-blocks.ts';
import { freePort } from '../support/free-port.ts';
import { https } from '../support/https.ts';
import { ownCertificate } from '../support/own-certificate.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { scriptOf, stepsOf } from '../ways/steps.ts';
import { releaseOfRun, withoutCheckout } from './artefacts.ts';

const LIMIT_MS = 300_000;
const PASSWORD = 'a long enough password';
const Authorization = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;

const { version, file } = await releaseOfRun();
const packed = await file(/^monitoring-inventory-server-.*\.tgz$/);
const page = await readFile('docs/server.md', 'utf8');
const blockWith = (text: string) => fencedBlocks(page, 'sh').find((block) => block.includes(text))!;

let folder: string;
/** The installed command, and the folder of its package. */
let program: string;
let installed: string;
const running: RunningServer[] = [];

const shell = (command: string, more: NodeJS.ProcessEnv = {}) =>
  run(['bash', '-euo', 'pipefail', '-c', command], {
    cwd: folder,
    env: { ...withoutCheckout(), ...more },
    limitMilliseconds: LIMIT_MS,
  });

async function serve(name: string, more: Record<string, string> = {}, command = program): Promise<RunningServer> {
  const server = await startServer(join(folder, name), {
    program: ['bash', '-c', `exec ${command}`],
    cwd: folder,
    environment: { ...withoutCheckout(), ADMIN_PASSWORD: PASSWORD, ...more },
  });
  running.push(server);
  return server;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'server-package-'));
  await cp(packed, join(folder, basename(packed)));
  const prefix = join(folder, 'opt');
  await shell(blockWith('--global --prefix').split('\n')[0]!.replace('/opt/inventory', prefix));
  program = join(prefix, 'bin/inventory-server');
  installed = join(prefix, 'lib/node_modules/@monitoring-inventory/server');
}, LIMIT_MS);

afterAll(async () => {
  for (const server of running) {
    // npx ends without the server that it has started, which holds its output open.
    const pid = Number(await readFile(join(server.dataDir, 'server.pid'), 'utf8').catch(() => ''));
    try {
      if (pid > 0) process.kill(pid, 'SIGTERM');
    } catch {
      // It has ended.
    }
    await server.stop();
  }
  await rm(folder, { recursive: true, force: true });
}, LIMIT_MS);

test(
  'one line starts it, and the first minute of the README ends with a target',
  async () => {
    const begin = performance.now();
    const server = await serve('tried', {}, blockWith('npx').trim());
    const reply = await https(server.base, 'GET', '/v1/version', { headers: { Authorization } });
    process.stdout.write(`From the file to the first answer: ${Math.round((performance.now() - begin) / 1000)} s\n`);
    expect(reply.body.build.version).toBe(version);
    for (const path of ['/', '/docs/server.html', '/swagger/openapi.json'])
      expect([path, (await https(server.base, 'GET', path)).status]).toEqual([path, 200]);
    const add = (await stepsOf('first-minute')).get('add')!;
    const typed = { ...add, code: add.code.replace('https://localhost:8443', server.base) };
    // curl asks for the password, which its configuration answers here.
    const answered = scriptOf({ ...typed, code: typed.code.replace('-u admin', `-u 'admin:${PASSWORD}'`) });
    expect(await shell(answered)).toContain('db-1.example.com:9104');
  },
  LIMIT_MS,
);

test(
  'it states its version, and its check tells whether the server is ready',
  async () => {
    expect(await shell(`'${program}' --version`)).toBe(`inventory-server ${version}\n`);
    const { port, stop } = await serve('checked');
    await shell(`'${program}' check`, { PORT: String(port) });
    await stop();
    await expect(shell(`'${program}' check`, { PORT: String(port) })).rejects.toThrow('Not ready');
  },
  LIMIT_MS,
);

test(
  'a copy of the running server is a data folder with all objects',
  async () => {
    const server = await serve('kept');
    const node = { node_type: 'generic', node_name: 'kept', address: 'kept.example.com' };
    await https(server.base, 'POST', '/v1/nodes', { headers: { Authorization }, body: node });
    const command = blockWith('inventory-server backup')
      .replace('/var/lib/inventory', join(folder, 'kept'))
      .replace(/\/var\/backups\/\S+ ?\S*/, join(folder, 'copy'))
      .replace('inventory-server', program);
    await shell(command);
    await server.stop();
    const restored = await serve('copy');
    const { text } = await https(restored.base, 'GET', '/v1/nodes', { headers: { Authorization } });
    expect(text).toContain('kept.example.com');
  },
  LIMIT_MS,
);

test('systemd accepts the unit, which leaves the service few rights', async () => {
  const unit = join(folder, 'inventory.service');
  const text = await readFile(join(installed, 'deploy/inventory.service'), 'utf8');
  await writeFile(unit, text.replace('/opt/inventory/bin/inventory-server', program));
  await shell(`systemd-analyze verify '${unit}'`);
  // In tenths, from 0, the least exposed, to 100.
  await shell(`systemd-analyze security --offline=yes --threshold=20 '${unit}'`);
});

test(
  'behind nginx, the audit has the addresses of clients',
  async () => {
    const server = await serve('proxied', { TRUSTED_PROXIES: '127.0.0.1' });
    const port = await freePort();
    const place = join(folder, 'nginx');
    await mkdir(place);
    const { cert, key } = await ownCertificate(['inventory.example.com'], ['127.0.0.1']);
    await writeFile(join(place, 'inventory.pem'), cert);
    await writeFile(join(place, 'inventory.key'), key);
    const site = (await readFile(join(installed, 'deploy/nginx.conf'), 'utf8'))
      .replaceAll('/etc/nginx/tls', place)
      .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      .replace('https://127.0.0.1:8443', `https://127.0.0.1:${server.port}`);
    const whole = `daemon off;\npid ${place}/pid;\nevents {}\nhttp {\naccess_log off;\n${site}\n}\n`;
    await writeFile(join(place, 'nginx.conf'), whole);
    const proxy = `https://127.0.0.1:${port}`;
    // nginx appends the address of its client, which is that of a trusted proxy here.
    const script = [
      `timeout 60 /usr/sbin/nginx -e stderr -c '${place}/nginx.conf' >/dev/null 2>&1 </dev/null & nginx=$!`,
      'trap "kill $nginx" EXIT',
      `curl -sk -m 20 --retry 20 --retry-connrefused --retry-delay 1 ${proxy}/v1/readyz`,
      `curl -skf -m 20 -u 'admin:${PASSWORD}' -H 'X-Forwarded-For: 192.0.2.7' -H 'Content-Type: application/json' ${proxy}/v1/api-keys -d '{"name": "proxied", "role": "Viewer"}'`,
    ].join('\n');
    await shell(script);
    const { text } = await https(server.base, 'GET', '/v1/audit', { headers: { Authorization } });
    expect(text).toContain('"source_ip":"192.0.2.7"');
  },
  LIMIT_MS,
);

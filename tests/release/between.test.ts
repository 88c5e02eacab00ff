/**
 * docs/versioning.md: what a release and its correction, made by the same command, promise each other, for data folders, tables and
 * clients; and what the recorded build 8ebed6a4 and a release do.
 */
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { run } from '../deploy/processes.ts';
import { exportedLines, replaceAddress, unpackDataFolder } from '../support/data-folder.ts';
import { https } from '../support/https.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { correctionOfRun, type Release, releaseOfRun, withoutCheckout } from './artefacts.ts';
import { openTemplateStack } from './template-stack.ts';

const LIMIT_MS = 1_200_000;
const PASSWORD = 'a long enough password';
const Authorization = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;

/** An address that 8ebed6a4 accepted, in place of one that it has recorded. */
const [RECORDED, REFUSED] = ['10.0.0.11', '10.0.0.256'];

const released = await releaseOfRun();
const corrected = await correctionOfRun();

let folder: string;
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'release-between-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

const shell = (command: string, cwd = folder, more: NodeJS.ProcessEnv = {}) =>
  run(['bash', '-euo', 'pipefail', '-c', command], {
    cwd,
    env: { ...withoutCheckout(), ...more },
    limitMilliseconds: LIMIT_MS,
  });

const SERVER = /^monitoring-inventory-server-.*\.tgz$/;

/** Unpacks the server of a release, unless it is, and starts it on a data folder. */
async function serve(release: Release, data: string): Promise<RunningServer> {
  const place = join(folder, `server-${release.version}`);
  await shell(`[ -d '${place}' ] || { mkdir '${place}' && tar xzf '${await release.file(SERVER)}' -C '${place}'; }`);
  return startServer(join(folder, data), {
    program: [process.execPath, join(place, 'package/start.cjs')],
    environment: { ADMIN_PASSWORD: PASSWORD },
  });
}

const nodeNamed = (name: string) => ({ node_type: 'generic', node_name: name, address: `${name}.example.com` });
const namesIn = ({ nodes }: { nodes: { node_name: string }[] }) => nodes.map(({ node_name }) => node_name);

/** Adds a node to a running server. @returns the version of the server, and the names of all nodes. */
async function addNode({ base }: RunningServer, name: string): Promise<{ build: string; names: string[] }> {
  const headers = { Authorization };
  expect((await https(base, 'POST', '/v1/nodes', { headers, body: nodeNamed(name) })).status).toBe(201);
  const read = async (path: string) => (await https(base, 'GET', path, { headers })).body;
  return { build: (await read('/v1/version')).build.version, names: namesIn(await read('/v1/nodes')) };
}

const TYPESCRIPT = `import { addNode, createClient, listNodes } from '@monitoring-inventory/client';
const client = createClient({ url: process.env.INVENTORY_URL, key: process.env.INVENTORY_KEY });
await addNode(client, { node_type: 'generic', node_name: 'typed', address: 'typed.example.com' });
for await (const node of listNodes(client)) console.log(node.node_name);
`;

const PYTHON = `from monitoring_inventory import connect, pages
from monitoring_inventory.api.nodes import list_nodes
for node in pages(list_nodes, client=connect()):
    print(node.node_name)
`;

/** Installs the clients of a release and uses each of them on a server. @returns what each prints. */
async function useClients(release: Release, { base, dataDir }: RunningServer): Promise<Record<string, string>> {
  const place = join(folder, `clients-${release.version}`);
  await mkdir(place);
  const patterns = [/^monitoring-inventory-cli-/, /^monitoring-inventory-client-/, /\.whl$/];
  const files = await Promise.all(patterns.map((pattern) => release.file(pattern)));
  const [cli = '', client = '', wheel = ''] = files.map((file) => basename(file));
  for (const file of files) await cp(file, join(place, basename(file)));
  const made = await https(base, 'POST', '/v1/api-keys', {
    headers: { Authorization },
    body: { name: `clients ${release.version}`, role: 'Editor' },
  });
  const certificate = join(dataDir, 'tls-cert.pem');
  const environment = {
    HOME: place,
    ...{ INVENTORY_URL: base, INVENTORY_KEY: made.body.key, INVENTORY_CA: certificate },
    NODE_EXTRA_CA_CERTS: certificate,
  };
  const say = (command: string) => shell(command, place, environment);
  return {
    cli: await say(
      [
        `npm install --global --prefix "$PWD" ./${cli} >/dev/null`,
        'bin/inventory --version',
        'bin/inventory add node commanded --type generic --address commanded.example.com >/dev/null',
        'bin/inventory get nodes -o name',
      ].join('\n'),
    ),
    typescript: await say(
      `npm init -y >/dev/null\nnpm install ./${client} >/dev/null\ncat > list.mjs <<'END'\n${TYPESCRIPT}END\nnode list.mjs`,
    ),
    python: await say(
      `python3 -m venv venv\nvenv/bin/pip install -q --disable-pip-version-check ./${wheel}\ncat > list.py <<'END'\n${PYTHON}END\nvenv/bin/python list.py`,
    ),
  };
}

test(
  'a data folder is opened by the correction and by the release again, and each keeps what the other has written',
  async () => {
    const turns = [
      [released, 'first'],
      [corrected, 'second'],
      [released, 'third'],
    ] as const;
    const names: string[] = [];
    for (const [release, name] of turns) {
      names.push(name);
      const server = await serve(release, 'data');
      try {
        expect(await addNode(server, name)).toEqual({ build: release.version, names });
      } finally {
        await server.stop();
      }
    }
  },
  LIMIT_MS,
);

test.each([
  ['the release', 'the correction', released, corrected],
  ['the correction', 'the release', corrected, released],
])(
  'the clients of %s work with the server of %s',
  async (_clients, _server, clients, other) => {
    const server = await serve(other, `data-of-clients-${clients.version}`);
    try {
      await addNode(server, 'stored');
      const { cli, typescript, python } = await useClients(clients, server);
      expect(cli).toContain(`inventory ${clients.version}\n`);
      for (const said of [cli, typescript, python]) expect(said).toMatch(/\bstored\n/);
      expect(typescript).toMatch(/\btyped\n/);
      expect(python).toMatch(/\bcommanded\n/);
    } finally {
      await server.stop();
    }
  },
  LIMIT_MS,
);

test(
  'the template of the correction keeps the table of the release, and that of the release keeps it after the return',
  async () => {
    const template = /^monitoring-inventory-template-.*\.tar\.gz$/;
    const stack = await openTemplateStack();
    try {
      const names: string[] = [];
      for (const release of [released, corrected, released]) {
        await stack.deploy(await release.file(template));
        const name = `node-${names.length + 1}`;
        names.push(name);
        expect((await stack.request('POST', '/v1/nodes', { body: nodeNamed(name) })).status).toBe(201);
        expect((await stack.request('GET', '/v1/version')).body.build.version).toBe(release.version);
        expect(namesIn((await stack.request('GET', '/v1/nodes')).body)).toEqual(names);
      }
    } finally {
      await stack.emulated.stop();
    }
  },
  LIMIT_MS,
);

test(
  'the release keeps what 8ebed6a4 has stored and names each value that became stricter, and 8ebed6a4 then refuses the folder',
  async () => {
    const data = join(folder, 'before');
    const { keys, exported } = await unpackDataFolder('8ebed6a4', data);
    replaceAddress(data, RECORDED, REFUSED);
    const server = await serve(released, 'before');
    const place = join(folder, 'lint');
    await mkdir(place);
    const cli = await released.file(/^monitoring-inventory-cli-/);
    await shell(`npm install --global --prefix "$PWD" '${cli}' >/dev/null`, place);
    const connection = {
      ...{ HOME: place, INVENTORY_URL: server.base, INVENTORY_KEY: keys.admin },
      INVENTORY_CA: join(data, 'tls-cert.pem'),
    };
    const printed = await shell(
      'bin/inventory export --out after.ndjson\nbin/inventory lint --stored',
      place,
      connection,
    );
    await server.stop();
    expect(printed.match(/^(?:node|service|agent)\/.*$/gm)).toEqual([
      expect.stringMatching(/^node\/node 11 ä.*address/),
    ]);
    const before = exportedLines(exported.replaceAll(RECORDED, REFUSED));
    const after = exportedLines(await readFile(join(place, 'after.ndjson'), 'utf8'));
    expect(before.length).toBeGreaterThan(20);
    expect(after).toMatchObject(before);
    expect(after).toHaveLength(before.length);

    const checkout = join(folder, 'checkout');
    await mkdir(checkout);
    await run(['bash', '-euo', 'pipefail', '-c', `git archive 8ebed6a4 | tar x -C '${checkout}'`], {
      ...{ cwd: process.cwd(), env: process.env, limitMilliseconds: LIMIT_MS },
    });
    await shell('npm ci --prefer-offline --no-audit --no-fund', checkout);
    const refused = startServer(data, {
      program: [process.execPath, join(checkout, 'local/start.mjs')],
      cwd: checkout,
    });
    await expect(refused).rejects.toMatchObject({
      exitCode: 1,
      message: `The data folder ${data} has format 2, and this version reads formats up to 1. Use the version that wrote the folder, or a newer one.`,
    });
  },
  LIMIT_MS,
);

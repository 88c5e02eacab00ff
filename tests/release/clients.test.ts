/** docs/releases.md: each client, installed by the line of the page into an empty folder, and used on a server. */
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { run } from '../deploy/processes.ts';
import { fencedBlocks } from '../support/fenced-blocks.ts';
import { ansiblePrograms } from '../../tools/package-ansible.ts';
import { releaseOfRun, withoutCheckout } from './artefacts.ts';
import { type ServerWithKey, startServerWithKey } from './server-with-key.ts';

const LIMIT_MS = 300_000;

const { version, artefacts } = await releaseOfRun();
const page = await readFile('docs/releases.md', 'utf8');
const lines = fencedBlocks(page, 'sh')
  .find((block) => block.includes('pip install'))!
  .trim()
  .split('\n');
const lineWith = (text: string) => lines.find((line) => line.includes(text))!;

let folder: string;
let inventory: ServerWithKey;

/** Runs commands in a new folder with copies of the artefacts. */
async function inEmptyFolder(name: string, commands: string, more: NodeJS.ProcessEnv = {}): Promise<string> {
  const place = join(folder, name);
  await mkdir(place);
  for (const artefact of await readdir(artefacts)) await cp(join(artefacts, artefact), join(place, artefact));
  return run(['bash', '-euo', 'pipefail', '-c', commands], {
    cwd: place,
    env: { ...withoutCheckout(), HOME: place, ...inventory.connection, ...more },
    limitMilliseconds: LIMIT_MS,
  });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'release-clients-'));
  inventory = await startServerWithKey(join(folder, 'data'));
}, LIMIT_MS);

afterAll(async () => {
  await inventory.server.stop();
  await rm(folder, { recursive: true, force: true });
});

test(
  'the command line is installed by one line, states its version, and plans a file',
  async () => {
    const said = await inEmptyFolder(
      'cli',
      [
        `export npm_config_prefix=$PWD/prefix PATH=$PWD/prefix/bin:$PATH`,
        lineWith('--global'),
        'inventory --version',
        `printf 'name,address\\nplanned,planned.example.com\\n' > hosts.csv`,
        // 2: there are differences.
        'inventory plan -f hosts.csv -l fleet=test --default type=generic --default label.fleet=test || test $? = 2',
      ].join('\n'),
    );
    expect(said).toContain(`inventory ${version}\n`);
    expect(said).toContain('planned');
  },
  LIMIT_MS,
);

test(
  'the TypeScript client lists nodes in six lines',
  async () => {
    const program = [
      "import { createClient } from '@monitoring-inventory/client';",
      "import { addNode, listNodes } from '@monitoring-inventory/client';",
      'const client = createClient({ url: process.env.INVENTORY_URL, key: process.env.INVENTORY_KEY });',
      "await addNode(client, { node_type: 'generic', node_name: 'typed', address: 'typed.example.com' });",
      'for await (const node of listNodes(client)) console.log(node.node_name);',
    ].join('\n');
    const said = await inEmptyFolder(
      'typescript',
      ['npm init -y >/dev/null', lineWith('client'), `cat > six.mjs <<'END'\n${program}\nEND`, 'node six.mjs'].join(
        '\n',
      ),
      { NODE_EXTRA_CA_CERTS: inventory.connection.INVENTORY_CA },
    );
    expect(said).toContain('typed');
  },
  LIMIT_MS,
);

test(
  'the wheel is installed by pip, states its version, and lists nodes',
  async () => {
    const program = [
      'from monitoring_inventory import connect, pages',
      'from monitoring_inventory.api.nodes import list_nodes',
      'print(len(list(pages(list_nodes, client=connect()))), "nodes")',
    ].join('\n');
    const said = await inEmptyFolder(
      'python',
      [
        'python3 -m venv venv && . venv/bin/activate',
        `${lineWith('pip')} --quiet --disable-pip-version-check`,
        'python -m monitoring_inventory',
        `cat > list.py <<'END'\n${program}\nEND`,
        'python list.py',
      ].join('\n'),
    );
    expect(said).toContain(`monitoring-inventory ${version}`);
    expect(said).toMatch(/\d+ nodes/);
  },
  LIMIT_MS,
);

test(
  'the collection is installed by ansible-galaxy, states its version, and adds a node',
  async () => {
    const node = 'node_name=played node_type=generic address=played.example.com';
    const said = await inEmptyFolder(
      'ansible',
      [
        `${lineWith('galaxy')} --collections-path collections`,
        'ansible-galaxy collection list --collections-path collections',
        'export ANSIBLE_COLLECTIONS_PATH=$PWD/collections',
        `ansible localhost -c local -m monitoring_inventory.inventory.node -a '${node}'`,
      ].join('\n'),
      { PATH: [ansiblePrograms, withoutCheckout()['PATH']].join(delimiter) },
    );
    expect(said).toMatch(new RegExp(`monitoring_inventory\\.inventory +${version.replaceAll('.', '\\.')}`));
    expect(await inventory.read('/v1/nodes')).toContain('played.example.com');
  },
  LIMIT_MS,
);

test(
  'the construct is installed into an empty app, and synthesises an inventory',
  async () => {
    const app = [
      "const { App } = require('aws-cdk-lib');",
      "const { InventoryStack } = require('monitoring-inventory');",
      "new InventoryStack(new App({ outdir: 'out' }), 'Inventory').node.root.synth();",
    ].join('\n');
    await inEmptyFolder(
      'cdk',
      [
        'npm init -y >/dev/null',
        'npm install --no-audit --no-fund ./monitoring-inventory-[0-9]*.tgz aws-cdk-lib@2.269.0 constructs@10.5.0',
        `cat > app.js <<'END'\n${app}\nEND`,
        'CDK_VALIDATION=false node app.js',
      ].join('\n'),
    );
    const { Resources } = JSON.parse(await readFile(join(folder, 'cdk/out/Inventory.template.json'), 'utf8'));
    const variables = Object.values<any>(Resources).map(({ Properties }) => Properties?.Environment?.Variables);
    expect(variables.filter((environment) => environment?.SERVICE_VERSION === version)).toHaveLength(3);
  },
  LIMIT_MS,
);

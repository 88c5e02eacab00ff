/** docs/terraform.md: its configurations are applied together, its imports are run, its mirror is installed. */
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { arch } from 'node:os';
import { basename, join } from 'node:path';
import { everything } from '../end-to-end/client.ts';
import { providerFolder, terraformProgram } from './programs.ts';
import { type Bench, startBench } from './workspace.ts';
import { fencedBlocks } from '../support/fenced-blocks.ts';

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
const text = await read('docs/terraform.md');
const blocks = (language: string) => fencedBlocks(text, language);
const configuration = blocks('hcl').join('\n');

let bench: Bench;

beforeAll(async () => {
  bench = await startBench();
});

afterAll(() => bench.stop());

test('the configurations are applied together twice and formatted, and the imports lead to an empty plan', async () => {
  const workspace = await bench.workspace('document');
  await workspace.write(configuration);
  expect(await workspace.run('fmt', '-check', '-diff')).toEqual({ code: 0, text: '' });
  await workspace.apply();
  expect(await workspace.plan()).toEqual([]);
  const { outputs } = JSON.parse(await workspace.state());
  expect(outputs.production.value).toEqual({ orders: '10.0.0.1:5432' });
  const { nodes, services, agents } = await everything(bench.editor);
  expect(nodes.map((node) => node.node_name)).toEqual(['db-1', 'shop-1']);
  expect([services.length, agents.length]).toEqual([2, 3]);

  const imports = blocks('sh').flatMap((code) => [...code.matchAll(/^terraform import (\S+) (?:'(.*)'|(\S+))$/gm)]);
  expect(imports).toHaveLength(4);
  for (const [, address = '', quoted, plain] of imports) {
    expect(await workspace.run('state', 'rm', address)).toMatchObject({ code: 0 });
    expect(await workspace.run('import', '-no-color', address, quoted ?? plain!)).toMatchObject({ code: 0 });
  }
  // The state of an imported scope has no desired state yet, and its objects are equal.
  expect((await workspace.plan()).map(({ address, change }) => [address, change.after.changes])).toEqual([
    ['inventory_scope.shop', null],
  ]);
  await workspace.apply();
  expect(await workspace.plan()).toEqual([]);
  await workspace.apply('-destroy');
  expect(await everything(bench.editor)).toEqual({ nodes: [], services: [], agents: [] });
});

test.each(['docs/terraform.md', 'clients/terraform/README.md'])('the first block of %s runs alone', async (path) => {
  const [first = ''] = fencedBlocks(await read(path), 'hcl');
  const workspace = await bench.workspace(basename(path));
  await workspace.write(first);
  await workspace.apply();
  expect((await everything(bench.editor)).nodes.map((node) => node.node_name)).toEqual(['db-1']);
  await workspace.apply('-destroy');
});

test('the provider is installed from the mirror', async () => {
  const isTofu = basename(await terraformProgram()).startsWith('tofu');
  const [path = '', settings = ''] = blocks('')
    .slice(-2)
    .map((code) => code.trim());
  const mirror = join(bench.folder, 'mirror');
  const place = path
    .replace('/opt/terraform', mirror)
    .replaceAll('<version>', '1.2.3')
    .replace('registry.terraform.io', isTofu ? 'registry.opentofu.org' : 'registry.terraform.io')
    .replace('linux_amd64', `linux_${arch() === 'x64' ? 'amd64' : arch()}`);
  await mkdir(join(place, '..'), { recursive: true });
  await cp(join(providerFolder, 'terraform-provider-inventory'), place);
  const file = join(bench.folder, 'mirror.rc');
  await writeFile(file, settings.replace('/opt/terraform', mirror));
  const workspace = await bench.workspace('mirrored', { TF_CLI_CONFIG_FILE: file });
  await workspace.write({ data: { inventory_nodes: { all: {} } } });
  const { code, text: printed } = await workspace.run('init', '-no-color');
  expect([code, printed]).toEqual([0, expect.stringMatching(/Installed monitoring-inventory\/inventory v1\.2\.3/)]);
  await workspace.apply();
  await rm(mirror, { recursive: true });
});

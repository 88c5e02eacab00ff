/** A scope with its desired state, and API keys that are in no state. */
import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { bearer, bodyOf, clientOf, everything, listAll } from '../end-to-end/client.ts';
import { type Bench, startBench, type Workspace } from './workspace.ts';

let bench: Bench;

beforeAll(async () => {
  bench = await startBench();
});

afterAll(() => bench.stop());

const labels = { fleet: 'shop' };
const node = (name: string, more: object = {}) => ({
  node_type: 'generic',
  node_name: name,
  address: name,
  custom_labels: labels,
  ...more,
});

const desired = (...names: string[]) => ({
  nodes: names.map((name) => node(name)),
  services: [
    {
      service_type: 'mysql',
      service_name: 'shop-db',
      node_names: names.slice(0, 1),
      address: 'shop-db',
      port: 3306,
      custom_labels: labels,
    },
  ],
  agents: names.map((name) => ({ agent_type: 'pmm_agent', runs_on_node_name: name })),
});

const scope = (state: object, more: object = {}) => ({
  resource: { inventory_scope: { shop: { selector: 'fleet=shop', desired: state, ...more } } },
});

const changesOf = async (workspace: Workspace) => (await workspace.plan()).map(({ change }) => change.after?.changes);

describe('a scope', () => {
  let workspace: Workspace;

  beforeAll(async () => {
    workspace = await bench.workspace('scope');
  });

  test('is applied as planned, and then has no differences', async () => {
    await workspace.write(scope(desired('shop-1', 'shop-2')));
    const [lines] = await changesOf(workspace);
    expect(lines.toSorted()).toEqual([
      '+ agent pmm_agent on shop-1',
      '+ agent pmm_agent on shop-2',
      '+ node shop-1',
      '+ node shop-2',
      '+ service shop-db',
    ]);
    expect((await workspace.run('apply', '-no-color', 'plan')).code).toBe(0);
    expect(await workspace.plan()).toEqual([]);
    const { nodes, services, agents } = await everything(bench.editor);
    expect([nodes.length, services.length, agents.length]).toEqual([2, 1, 2]);
  });

  test('shows and repairs the drift of each object, also repeatedly', async () => {
    const { nodes } = await everything(bench.editor);
    const [{ node_id: id }] = nodes;
    const drift = async () => {
      bodyOf(await bench.editor('PATCH', `/v1/nodes/${id}`, { body: { az: 'drift' } }), 200);
      expect(await changesOf(workspace)).toEqual([['~ node shop-1: az "drift" -> null']]);
      await workspace.apply();
      expect(await workspace.plan()).toEqual([]);
    };
    await drift();
    await drift();
  });

  test('removes at most the permitted share, and nothing outside', async () => {
    const outside = { ...node('other'), custom_labels: {} };
    bodyOf(await bench.editor('POST', '/v1/nodes', { body: outside }), 201);
    await workspace.write(scope(desired('shop-1')));
    const { code, text } = await workspace.run('plan', '-no-color');
    expect([code, text]).toEqual([1, expect.stringContaining('max_removals_percent allows 20 %')]);
    await workspace.write(scope(desired('shop-1'), { max_removals_percent: 50 }));
    expect((await changesOf(workspace))[0].toSorted()).toEqual(['- agent pmm_agent on shop-2', '- node shop-2']);
    await workspace.apply();
    expect(await workspace.plan()).toEqual([]);
    expect((await everything(bench.editor)).nodes.map((node) => node.node_name)).toEqual(['other', 'shop-1']);
  });

  test('is not applied by a plan that the inventory has overtaken', async () => {
    await workspace.write(scope(desired('shop-1', 'shop-3')));
    await workspace.plan();
    bodyOf(await bench.editor('POST', '/v1/nodes', { body: node('shop-9') }), 201);
    const { code } = await workspace.run('apply', '-no-color', 'plan');
    expect(code).toBe(1);
    const { nodes } = await everything(bench.editor);
    expect(nodes.map((node) => node.node_name)).toEqual(['other', 'shop-1', 'shop-9']);
    await workspace.write(scope(desired('shop-1', 'shop-3'), { max_removals_percent: 50 }));
    await workspace.apply();
    expect(await workspace.plan()).toEqual([]);
  });

  test('with an invalid desired state is an error of the plan that names the field', async () => {
    await workspace.write(scope({ nodes: [node('shop-1', { regoin: 'eu' })] }, { max_removals_percent: 100 }));
    const { code, text } = await workspace.run('plan', '-no-color');
    expect([code, text]).toEqual([1, expect.stringContaining('desired.nodes.0.regoin')]);
  });

  test('can refer to objects of other resources in one apply', async () => {
    const configuration = scope(
      {
        ...desired('shop-1', 'shop-3'),
        services: [
          {
            service_type: 'haproxy',
            service_name: 'shop-proxy',
            node_names: ['${inventory_node.proxy.node_name}'],
            custom_labels: labels,
          },
        ],
      },
      { max_removals_percent: 50 },
    );
    await workspace.write({
      resource: {
        ...configuration.resource,
        inventory_node: { proxy: { node_type: 'generic', node_name: 'proxy', address: 'proxy' } },
      },
    });
    await workspace.apply();
    expect(await workspace.plan()).toEqual([]);
  });

  test('is imported by its selector, and its removal empties it without effect on others', async () => {
    await workspace.loseState();
    await workspace.write(scope({ ...desired('shop-1', 'shop-3'), services: [] }, { max_removals_percent: 50 }));
    expect(await workspace.run('import', '-no-color', 'inventory_scope.shop', 'fleet=shop')).toMatchObject({ code: 0 });
    expect(await changesOf(workspace)).toEqual([['- service shop-proxy']]);
    await workspace.apply();
    await workspace.apply('-destroy');
    expect((await everything(bench.editor)).nodes.map((node) => node.node_name)).toEqual(['other', 'proxy']);
  });
});

describe('API keys', () => {
  const keysOf = async () => (await listAll(bench.admin, '/v1/api-keys', 'api_keys')).map((listed) => listed.name);

  /** Everything that Terraform wrote into a folder, but for one file. */
  async function written(folder: string, but: string): Promise<string> {
    const names = await readdir(folder, { recursive: true });
    const files = names
      .filter((name) => name !== but)
      .map((name) => readFile(join(folder, name), 'latin1').catch(() => ''));
    return (await Promise.all(files)).join('\n');
  }

  test('a key is written to its file, works, is rotated, and is in no state', async () => {
    const workspace = await bench.workspace('keys');
    const file = join(workspace.folder, 'scraper.key');
    const configuration = (more: object) => ({
      resource: { inventory_api_key: { scraper: { name: 'scraper', role: 'Viewer', key_file: file, ...more } } },
    });
    await workspace.write(configuration({ time_to_live: '30d' }));
    const first = await workspace.apply();
    const key = (await readFile(file, 'utf8')).trim();
    expect(key).toMatch(/^minv_/);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await clientOf(bench.server, bearer(key))('GET', '/v1/caller')).status).toBe(200);
    expect(await workspace.plan()).toEqual([]);

    await workspace.write(configuration({ time_to_live: '30d', rotation: '2', rate_limit_per_minute: 600 }));
    const second = await workspace.apply();
    expect(await workspace.plan()).toEqual([]);
    const rotated = (await readFile(file, 'utf8')).trim();
    expect(rotated).not.toBe(key);
    for (const secret of [key, rotated]) {
      expect((await clientOf(bench.server, bearer(secret))('GET', '/v1/caller')).status).toBe(200);
      expect(`${first}${second}${await written(workspace.folder, 'scraper.key')}`).not.toContain(secret);
    }
    // Neither is the key of the provider itself.
    for (const secret of Object.values(bench.keys))
      expect(`${first}${second}${await written(workspace.folder, 'scraper.key')}`).not.toContain(secret);
    // A text that the state has is found.
    expect(await written(workspace.folder, 'scraper.key')).toContain('"rotation": "2"');
    await workspace.apply('-destroy');
    expect((await clientOf(bench.server, bearer(rotated))('GET', '/v1/caller')).status).toBe(401);
  });

  test('a program stores a key from its standard input, and without success no key remains', async () => {
    const workspace = await bench.workspace('command');
    const configuration = (...command: string[]) => ({
      resource: { inventory_api_key: { stored: { name: 'stored', role: 'Viewer', store_command: command } } },
    });
    await workspace.write(configuration('sh', '-c', 'cat >/dev/null; exit 3'));
    const { code, text } = await workspace.run('apply', '-auto-approve', '-no-color');
    expect([code, text]).toEqual([1, expect.stringContaining('The API key was not stored')]);
    expect(await keysOf()).not.toContain('stored');
    await workspace.write(configuration('sh', '-c', 'cat > stored.key'));
    await workspace.apply();
    const key = await readFile(join(workspace.folder, 'stored.key'), 'utf8');
    expect((await clientOf(bench.server, bearer(key))('GET', '/v1/caller')).status).toBe(200);
    expect(await written(workspace.folder, 'stored.key')).not.toContain(key);
  });

  test('an ephemeral key works for one run and is removed at its end', async () => {
    const workspace = await bench.workspace('ephemeral');
    await workspace.write({
      provider: { inventory: [{}, { alias: 'second', key: '${ephemeral.inventory_api_key.run.key}' }] },
      ephemeral: { inventory_api_key: { run: { name: 'run', role: 'Editor' } } },
      resource: {
        inventory_node: {
          a: { provider: 'inventory.second', node_type: 'generic', node_name: 'by-run', address: 'by-run' },
        },
      },
    });
    await workspace.apply();
    const { nodes } = await everything(bench.editor);
    const { node_id: id } = nodes.find((node) => node.node_name === 'by-run');
    const { changes } = bodyOf(await bench.editor('GET', `/v1/nodes/${id}/history`), 200);
    expect(changes[0].actor.name).toMatch(/^run-/);
    expect((await keysOf()).filter((name) => name.startsWith('run'))).toEqual([]);
    expect(await written(workspace.folder, 'main.tf.json')).not.toMatch(/minv_\w{20}/);
  });
});

/** Resources and data sources: imports, lost states, concurrent changes, removals, errors. */
import { startPrivateServer } from '../clients/private-server.ts';
import { bodyOf, everything } from '../end-to-end/client.ts';
import { type Bench, type Configuration, startBench } from './workspace.ts';

let bench: Bench;

beforeAll(async () => {
  bench = await startBench();
});

afterAll(() => bench.stop());

const node = (name: string, more: object = {}) => ({ node_type: 'generic', node_name: name, address: name, ...more });

/** A node with a database and its agents, all named after the node. */
function host(name: string, more: object = {}): Configuration {
  return {
    resource: {
      inventory_node: { host: node(name, { custom_labels: { team: 'dba' }, ...more }) },
      inventory_service: {
        // A name with all characters that paths and selectors treat specially.
        database: {
          service_type: 'postgresql',
          service_name: `${name}/a "b" \\ 100%`,
          node_names: ['${inventory_node.host.node_name}'],
          address: name,
          port: 5432,
          ...more,
        },
      },
      inventory_agent: {
        process: { agent_type: 'pmm_agent', runs_on_node_name: '${inventory_node.host.node_name}', ...more },
        node: {
          agent_type: 'node_exporter',
          runs_on_node_name: '${inventory_agent.process.runs_on_node_name}',
          ...more,
        },
        postgres: {
          agent_type: 'postgres_exporter',
          runs_on_node_name: '${inventory_agent.process.runs_on_node_name}',
          insights: { service_names: ['${inventory_service.database.service_name}'] },
          listen_port: 9187,
          ...more,
        },
      },
    },
  };
}

/** The ids of all objects with this name prefix, and of their agents. */
async function idsOf(name: string): Promise<string[]> {
  const { nodes, services, agents } = await everything(bench.editor);
  const ownObjects = [...nodes, ...services].filter((object) =>
    String(object.node_name ?? object.service_name).startsWith(name),
  );
  const ids = ownObjects.map((object) => object.node_id ?? object.service_id);
  return [
    ...ids,
    ...agents.filter((agent) => ids.includes(agent.runs_on_node_id)).map((agent) => agent.agent_id),
  ].sort();
}

test('a lost state is refused without adopt, and with it the objects keep their ids', async () => {
  const workspace = await bench.workspace('lost');
  await workspace.write(host('lost'));
  await workspace.apply();
  expect(await workspace.plan()).toEqual([]);
  const ids = await idsOf('lost');
  expect(ids).toHaveLength(5);

  await workspace.loseState();
  const { code, text } = await workspace.run('apply', '-auto-approve', '-no-color');
  expect(code).toBe(1);
  expect(text).toContain('The node "lost" exists and does not belong to this state');
  expect(text).toContain('adopt = true');
  expect(await idsOf('lost')).toEqual(ids);

  await workspace.write(host('lost', { adopt: true }));
  await workspace.apply();
  expect(await workspace.plan()).toEqual([]);
  expect(await idsOf('lost')).toEqual(ids);
  // Without adopt, the resources only forget it.
  await workspace.write(host('lost'));
  await workspace.apply();
  expect(await workspace.plan()).toEqual([]);
});

test("two states with one name are refused for each kind, and an object's type cannot be taken over", async () => {
  const first = await bench.workspace('first');
  await first.write(host('shared'));
  await first.apply();
  const before = await everything(bench.editor);
  const second = await bench.workspace('second');
  const { resource } = host('shared');
  await second.write({
    resource: {
      inventory_node: {
        same: node('shared'),
        other_type: { ...node('shared', { adopt: true }), node_type: 'remote' },
      },
      inventory_service: { same: { ...resource!['inventory_service']!['database'], node_names: ['shared'] } },
      inventory_agent: {
        same: { agent_type: 'pmm_agent', runs_on_node_name: 'shared' },
        exporter: { agent_type: 'node_exporter', runs_on_node_name: 'shared', insights: { node_names: ['shared'] } },
      },
    },
  });
  const { text } = await second.run('apply', '-auto-approve', '-no-color');
  for (const name of ['node.same', 'service.same', 'agent.same', 'agent.exporter', 'node.other_type'])
    expect(text).toContain(`with inventory_${name},`);
  expect(text.match(/does not belong to this state/g)).toHaveLength(4);
  expect(text).toContain('It has the type generic, which cannot change.');
  expect(await everything(bench.editor)).toEqual(before);
});

test('imports by name and identity lead to an empty plan', async () => {
  const workspace = await bench.workspace('imports');
  await workspace.write(host('imported'));
  await workspace.apply();
  const { resources } = JSON.parse(await workspace.state());
  const { agent_id: id } = resources.find(({ name }: any) => name === 'process').instances[0].attributes;
  await workspace.loseState();
  const service = 'imported/a "b" \\ 100%';
  const exporter = {
    agent_type: 'postgres_exporter',
    runs_on_node_name: 'imported',
    insights: { service_names: [service] },
  };
  const imports = {
    'inventory_node.host': 'imported',
    'inventory_service.database': service,
    'inventory_agent.process': id,
    'inventory_agent.node': JSON.stringify({ agent_type: 'node_exporter', runs_on_node_name: 'imported' }),
    'inventory_agent.postgres': JSON.stringify(exporter),
  };
  await workspace.write({
    ...host('imported'),
    import: Object.entries(imports).map(([to, id]) => ({ to, id })),
  });
  expect((await workspace.plan()).map(({ address, change }) => [address, change.actions])).toEqual([]);
  await workspace.apply();
  await workspace.write(host('imported'));
  expect(await workspace.plan()).toEqual([]);
  const { code, text } = await workspace.run('import', '-no-color', 'inventory_node.host', 'absent');
  expect([code, text]).toEqual([1, expect.stringMatching(/already managed|does not exist/)]);
});

test('an object that changed after the plan is neither changed nor removed', async () => {
  const workspace = await bench.workspace('concurrent');
  await workspace.write({ resource: { inventory_node: { a: node('late-a'), b: node('late-b'), c: node('late-c') } } });
  await workspace.apply();
  await workspace.write({
    resource: { inventory_node: { a: node('late-a', { az: 'planned' }), c: node('late-c', { az: 'planned' }) } },
  });
  expect((await workspace.plan()).map(({ change }) => change.actions)).toEqual([['update'], ['delete'], ['update']]);
  const { nodes } = await everything(bench.editor);
  const paths = ['late-a', 'late-b', 'late-c'].map(
    (name) => `/v1/nodes/${nodes.find((node) => node.node_name === name).node_id}`,
  );
  for (const path of paths.slice(0, 2)) bodyOf(await bench.editor('PATCH', path, { body: { az: 'other' } }), 200);
  expect((await bench.editor('DELETE', paths[2]!)).status).toBe(204);

  const { code, text } = await workspace.run('apply', '-no-color', 'plan');
  expect(code).toBe(1);
  expect(text.match(/The node was changed by somebody else/g)).toHaveLength(2);
  expect(text).toContain('The node "late-c" was removed by somebody else');
  for (const path of paths.slice(0, 2)) expect(bodyOf(await bench.editor('GET', path), 200).az).toBe('other');
  // A removal from the configuration is planned with the state of the last apply.
  await workspace.apply('-refresh-only');
  await workspace.apply();
  expect(await workspace.plan()).toEqual([]);
});

test('a removed object is added again, and other types and names are replacements', async () => {
  const workspace = await bench.workspace('again');
  await workspace.write({
    resource: { inventory_node: { a: node('again-1'), b: node('again-2'), c: node('again-3') } },
  });
  await workspace.apply();
  const { nodes } = await everything(bench.editor);
  const { node_id: id } = nodes.find((node) => node.node_name === 'again-1');
  expect((await bench.editor('DELETE', `/v1/nodes/${id}`)).status).toBe(204);
  await workspace.write({
    resource: {
      inventory_node: { a: node('again-1'), b: { ...node('again-2'), node_type: 'remote' }, c: node('again-4') },
    },
  });
  expect((await workspace.plan()).map(({ address, change }) => [address, change.actions])).toEqual([
    ['inventory_node.a', ['create']],
    ['inventory_node.b', ['delete', 'create']],
    ['inventory_node.c', ['delete', 'create']],
  ]);
  await workspace.apply();
  expect(await workspace.plan()).toEqual([]);
});

test('a removal with dependent objects requires force_destroy', async () => {
  const workspace = await bench.workspace('force');
  const configuration = (more: object) => ({ resource: { inventory_node: { host: node('forced', more) } } });
  await workspace.write(configuration({}));
  await workspace.apply();
  const [id] = await idsOf('forced');
  const body = { agent_type: 'pmm_agent', runs_on_node_id: id };
  expect((await bench.editor('POST', '/v1/agents', { body })).status).toBe(201);
  const { code, text } = await workspace.run('apply', '-destroy', '-auto-approve', '-no-color');
  expect([code, text]).toEqual([1, expect.stringContaining('The node was not removed')]);
  await workspace.write(configuration({ force_destroy: true }));
  await workspace.apply();
  await workspace.apply('-destroy');
  expect(await idsOf('forced')).toEqual([]);
});

test('mistakes are errors at their attributes: type errors before the plan, new values in it, others by the server', async () => {
  const workspace = await bench.workspace('mistakes');
  await workspace.write({
    resource: {
      inventory_node: {
        region: { ...node('wrong-1'), node_type: 'remote_rds' },
        type: { ...node('wrong-2'), node_type: 'cloud' },
      },
      inventory_service: {
        field: { service_type: 'haproxy', service_name: 'wrong', port: 1 },
        range: { service_type: 'mysql', service_name: 'wrong', address: 'a', port: 70000 },
      },
    },
  });
  const { code, text } = await workspace.run('validate', '-no-color');
  expect(code).toBe(1);
  expect(text).toContain('A node of the type remote_rds requires region.');
  expect(text).toContain('Must be one of: generic, container,');
  expect(text).toContain('A service of the type haproxy has no port.');
  expect(text).toContain('Must be from 1 to 65535.');

  const other = await bench.workspace('refused-values');
  await other.write(`
    terraform {
      required_providers { inventory = { source = "monitoring-inventory/inventory" } }
    }
    resource "inventory_node" "database" {
      node_type = "remote_rds"
      node_name = "wrong-3"
      address = "db.example.com"
      region = "eu-west-1"
    }
    resource "inventory_service" "nowhere" {
      service_type = "haproxy"
      service_name = "wrong"
      node_names = ["absent"]
    }
  `);
  const applied = await other.run('apply', '-auto-approve', '-no-color');
  expect(applied.text).toMatch(
    /with inventory_node.database, on main.tf line \d+, .{0,80}: address = "db.example.com" address: DB instance identifier/,
  );
  expect(applied.text).toContain('the node "absent" does not exist');

  const planned = await bench.workspace('refused-in-plan');
  const local = node('wrong-4', { address: '127.0.0.1' });
  await planned.write({ resource: { inventory_node: { local } } });
  const refused = await planned.run('plan', '-no-color');
  expect([refused.code, refused.text]).toEqual([
    1,
    expect.stringMatching(/inventory_node.local,.*Must not be a loopback/),
  ]);
  await planned.write({ resource: { inventory_node: { local: { ...local, adopt: true } } } });
  expect(await planned.plan()).toHaveLength(1);
});

test('data sources find objects by selector, filter and identity, with names of other objects', async () => {
  const workspace = await bench.workspace('data');
  await workspace.write(host('data'));
  await workspace.apply();
  const reader = await bench.workspace('reader', { INVENTORY_KEY: bench.keys.Viewer });
  const service = 'data/a "b" \\ 100%';
  await reader.write({
    data: {
      inventory_nodes: { all: { selector: 'team=dba', name_prefix: 'dat' } },
      inventory_services: { all: { name_prefix: 'data', service_type: 'postgresql' } },
      inventory_agents: { all: { runs_on_node_id: '${data.inventory_node.one.node_id}' } },
      inventory_node: { one: { node_name: 'data' } },
      inventory_service: { one: { service_name: service } },
      inventory_agent: {
        one: { agent_type: 'postgres_exporter', runs_on_node_name: 'data', insights: { service_names: [service] } },
      },
    },
    output: {
      nodes: { value: '${[for one in data.inventory_nodes.all.nodes : "${one.node_name} ${one.state}"]}' },
      services: { value: '${data.inventory_services.all.services[*].node_names}' },
      agents: { value: '${[for one in data.inventory_agents.all.agents : one.agent_type]}' },
      one: {
        value:
          '${[data.inventory_node.one.custom_labels, data.inventory_service.one.port, data.inventory_agent.one.insights.service_names]}',
      },
    },
  });
  await reader.apply();
  const { outputs } = JSON.parse(await reader.state());
  expect(outputs.nodes.value).toEqual(['data never_seen']);
  expect(outputs.services.value).toEqual([['data']]);
  expect(outputs.agents.value.toSorted()).toEqual(['node_exporter', 'pmm_agent', 'postgres_exporter']);
  expect(outputs.one.value).toEqual([{ team: 'dba' }, 5432, [service]]);
  expect(await reader.plan()).toEqual([]);
});

test('a wrong setting is one error in the plan for any number of objects, and names the setting', async () => {
  const objects = Array.from({ length: 12 }, (_, index) => [`a${index}`, node(`never-${index}`)] as const);
  const configuration = {
    // Without a block, Terraform adds that one is necessary.
    provider: { inventory: {} },
    resource: { inventory_node: Object.fromEntries(objects) },
    data: { inventory_nodes: { all: {} } },
  };
  const cases: [Record<string, string>, string][] = [
    [{ INVENTORY_KEY: 'minv_wrong' }, '(401'],
    [{ INVENTORY_KEY: 'minv_a\nminv_b' }, 'key (INVENTORY_KEY) is empty, or has a character that no key has.'],
    [{ INVENTORY_KEY: '' }, 'No key'],
    [{ INVENTORY_URL: '' }, 'No server'],
    [{ INVENTORY_URL: 'inventory.example.com' }, 'url (INVENTORY_URL) must be such as https://inventory.example.'],
    [{ INVENTORY_CA: '' }, 'Set ca_file (INVENTORY_CA); of npm start: DATA_DIR/tls-cert.pem.'],
  ];
  for (const [index, [environment, message]] of cases.entries()) {
    const workspace = await bench.workspace(`refused-${index}`, environment);
    await workspace.write(configuration);
    const { code, text } = await workspace.run('plan', '-no-color', '-input=false');
    expect([environment, code, text]).toEqual([environment, 1, expect.stringContaining(message)]);
    expect([environment, text.match(/Error: /g)]).toEqual([environment, ['Error: ']]);
  }
  const reader = await bench.workspace('refused-reader', { INVENTORY_KEY: bench.keys.Viewer });
  await reader.write({ resource: { inventory_node: { a: node('never') } } });
  const { code, text } = await reader.run('apply', '-auto-approve', '-no-color');
  expect([code, text]).toEqual([1, expect.stringContaining('(403')]);
});

test("a private certificate, a proxy, and a key with a final line break work with the page's variables", async () => {
  const { variables, tunnels, stop } = await startPrivateServer();
  try {
    const workspace = await bench.workspace('private', { ...variables, INVENTORY_KEY: '', NO_PROXY: '' });
    await workspace.write({ provider: { inventory: {} }, resource: { inventory_node: { a: node('private') } } });
    await workspace.apply();
    expect(await workspace.plan()).toEqual([]);
    expect(tunnels()).toBeGreaterThan(0);
  } finally {
    await stop();
  }
});

test('a key with surrounding white space works, and so does a provider whose settings come from the same apply', async () => {
  const workspace = await bench.workspace('late-settings', { INVENTORY_URL: '', INVENTORY_KEY: '' });
  const settings = { url: bench.server.base, key: `\ufeff${bench.keys.Admin}\n` };
  const configuration: Configuration = {
    resource: { terraform_data: { server: { input: settings } }, inventory_node: { late: node('late-settings') } },
    provider: {
      inventory: { url: '${terraform_data.server.output.url}', key: '${terraform_data.server.output.key}' },
    },
  };
  await workspace.write(configuration);
  await workspace.apply();
  expect(await idsOf('late-settings')).toHaveLength(1);
  expect(await workspace.plan()).toEqual([]);
  const renamed = { server: { input: { ...settings, url: `${bench.server.base}/v1/` } } };
  await workspace.write({ ...configuration, resource: { ...configuration.resource, terraform_data: renamed } });
  const { code, text } = await workspace.run('plan', '-no-color', '-input=false');
  expect([code, text]).toEqual([1, expect.stringContaining('known only after the apply')]);
});

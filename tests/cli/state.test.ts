/** Desired-state files: checks with places, plans, plan files, apply and pull. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type CommandLine, startCommandLine } from './command.ts';
import { toEntity } from '../../functions/store/entities/entity.ts';
import { newRecord } from '../../functions/domain/fields/record.ts';
import { fencedBlocks } from '../support/fenced-blocks.ts';
import { newNode, putObjects } from '../support/stored-objects.ts';
import { testTime } from '../support/test-time.ts';

let line: CommandLine;
let folder: string;
const run: CommandLine['inventoryCommand'] = (...call) => line.inventoryCommand(...call);
beforeAll(async () => (line = await startCommandLine()));
afterAll(() => line.stop());
beforeEach(async () => {
  folder = await mkdtemp(join(line.home, 'state-'));
  line.sent.length = 0;
});

async function file(text: string, name = 'fleet.yaml'): Promise<string> {
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

/** A fleet of one node with a database. */
const fleet = (label: string, address = `${label}.example`) => `
scope: { selector: fleet=${label}, max_removals_percent: 100 }
defaults:
  region: eu
  custom_labels: { fleet: ${label} }
nodes:
  - { node_type: generic, node_name: ${label}-1, address: ${address} }
services:
  - { service_type: mysql, service_name: ${label}-db, node_names: [${label}-1], address: 10.0.7.1, port: 3306 }
agents:
  - { agent_type: pmm_agent, runs_on_node_name: ${label}-1 }
  - { agent_type: mysqld_exporter, runs_on_node_name: ${label}-1, insights: { service_names: [${label}-db] } }
`;

describe('wrong files', () => {
  const start = 'scope: { selector: a=b }\n';
  const node = (field: string) =>
    `${start}nodes:\n  - { ${field}, custom_labels: { a: b }, node_type: generic, address: a }\n`;
  const labels = (text: string) =>
    `${start}nodes:\n  - { node_name: n, custom_labels: { a: b, ${text} }, node_type: generic, address: a }\n`;
  test.each([
    ['a key twice', 'scope: {}\nscope: {}\n', /fleet.yaml:2:1 /],
    ['no YAML', 'scope: [\n', /fleet.yaml:\d:\d /],
    ['no mapping', '- 1\n', /fleet.yaml:1:1 Must be an object/],
    ['nothing', '', /Must be an object/],
    ['an unknown field', `${start}colour: red\n`, /fleet.yaml:2:9 colour: Unknown field\./],
    ['no scope', 'nodes: []\n', /fleet.yaml:1:1 scope: /],
    ['a scope with exclusions only', 'scope: { selector: "!a" }\n', /fleet.yaml:1:8 scope: Must contain/],
    ['a wrong selector', 'scope: { selector: "a in" }\n', /fleet.yaml:1:20 scope.selector: /],
    ['a wrong percentage', 'scope: { selector: a=b, max_removals_percent: 101 }\n', /fleet.yaml:1:47 scope.max/],
    ['defaults without an object', `${start}defaults: 1\n`, /fleet.yaml:2:11 defaults: /],
    ['defaults that no object has', `${start}defaults: { colour: 1 }\n`, /fleet.yaml:2:21 defaults.colour: /],
    ['nodes that are no list', `${start}nodes: 1\n`, /fleet.yaml:2:8 nodes: Must be a list/],
    [
      'an absent field',
      `${start}nodes:\n  - { node_type: generic, node_name: a, custom_labels: { a: b } }\n`,
      /fleet.yaml:3:5 nodes\[0\].address: Required\./,
    ],
    [
      'a wrong value',
      `${start}services:\n  - service_type: mysql\n    service_name: s\n    custom_labels: { a: b }\n    address: a\n    port: 99999\n`,
      /fleet.yaml:7:11 services\[0\].port: Must be at most 65535\./,
    ],
    ['an unknown type', `${start}nodes: [{ node_type: x, node_name: n }]\n`, /fleet.yaml:2:\d+ nodes\[0\].node_type: /],
    [
      'an object outside the scope',
      `${start}nodes:\n- { node_type: generic, node_name: a, address: a }\n`,
      /fleet.yaml:3:3 nodes\[0\]: Outside the scope/,
    ],
    [
      'a credential',
      `${start}agents:\n- agent_type: mysqld_exporter\n  password: x\n  runs_on_node_name: a\n`,
      /fleet.yaml:4:13 agents\[0\].password: /,
    ],
    ['a tab as indentation', 'scope:\n\tselector: a=b\n', /fleet.yaml:2:1 /],
    ['an alias without an anchor', `${start}nodes: *absent\n`, /fleet.yaml:2:8 /],
    [
      'aliases that multiply',
      `${start}nodes: [&a [1, 1], &b [${'*a,'.repeat(60)}], ${'*b,'.repeat(60)}]\n`,
      /fleet.yaml:1:1 .*alias/,
    ],
    ['a text that does not end', 'scope: { selector: "a=b }\n', /fleet.yaml:\d:\d+ /],
    ['two documents', `${start}---\n${start}`, /fleet.yaml:\d:\d+ /],
    ['a scope that is a text', 'scope: a=b\n', /fleet.yaml:1:8 scope: /],
    ['an unknown field of the scope', 'scope: { selector: a=b, colour: red }\n', /fleet.yaml:1:33 scope.colour: /],
    ['an empty scope', 'scope: {}\n', /fleet.yaml:1:8 scope: /],
    ['a percentage that is a text', 'scope: { selector: a=b, max_removals_percent: x }\n', /fleet.yaml:1:47 scope.max/],
    ['services that are an object', `${start}services: {}\n`, /fleet.yaml:2:11 services: Must be a list/],
    ['agents that are a text', `${start}agents: all\n`, /fleet.yaml:2:9 agents: Must be a list/],
    ['an object that is a number', `${start}nodes: [1]\n`, /fleet.yaml:2:9 nodes\[0\]: /],
    ['an object that is empty', `${start}nodes:\n  -\n`, /fleet.yaml:\d:\d+ nodes\[0\]: /],
    ['a node without a type', `${start}nodes: [{ node_name: a }]\n`, /fleet.yaml:2:\d+ nodes\[0\].node_type: /],
    [
      'a type of another kind',
      `${start}nodes: [{ node_type: mysql, node_name: a }]\n`,
      /fleet.yaml:2:\d+ nodes\[0\].node_type: /,
    ],
    ['an unknown field of an object', node('colour: red'), /fleet.yaml:3:\d+ nodes\[0\].colour: Unknown field\./],
    ['a name that is a number', node('node_name: 1'), /fleet.yaml:3:\d+ nodes\[0\].node_name: /],
    ['an empty name', node('node_name: ""'), /fleet.yaml:3:\d+ nodes\[0\].node_name: /],
    ['a name that is too long', node(`node_name: ${'n'.repeat(2000)}`), /fleet.yaml:3:\d+ nodes\[0\].node_name: /],
    ['a label without a value', labels('c:'), /fleet.yaml:3:\d+ nodes\[0\].custom_labels/],
    ['a label with a wrong name', labels('"1 a": b'), /fleet.yaml:3:\d+ nodes\[0\].custom_labels/],
    ['an id, which the server sets', node('node_id: x'), /fleet.yaml:3:\d+ nodes\[0\].node_id: /],
    [
      'a port below the first',
      `${start}services: [{ service_type: mysql, service_name: s, port: 0 }]\n`,
      /fleet.yaml:2:\d+ services\[0\].port: /,
    ],
    [
      'an agent without its node',
      `${start}agents: [{ agent_type: mysqld_exporter }]\n`,
      /fleet.yaml:2:\d+ agents\[0\]/,
    ],
  ])('%s: the place and the rule, exit code 64, and no request', async (_, text, message) => {
    for (const command of ['lint', 'plan', 'apply']) {
      const { code, out, err } = await run([command, '-f', await file(text)]);
      expect([code, out, err]).toEqual([64, '', expect.stringMatching(message)]);
    }
    expect(line.sent).toEqual([]);
  });

  test('every error of every file has a line', async () => {
    await file(`${start}a: 1\nb: 2\n`, '1.yaml');
    await file(`${start}c: 3\n`, '2.yml');
    const { code, err } = await run(['lint', '-f', folder]);
    expect([code, err.trimEnd().split('\n').length]).toEqual([64, 3]);
  });

  test('two files with one object in both scopes are refused', async () => {
    await file(fleet('twin'), '1.yaml');
    await file('scope: { name_prefix: twin-d }\n', '2.yaml');
    const { code, err } = await run(['plan', '-f', folder]);
    expect([code, err]).toEqual([
      64,
      expect.stringMatching(/1.yaml:9:5 services\[0\]: Is in the scope of .*2.yaml too/),
    ]);
    expect(line.sent).toEqual([]);
  });
});

test('lint refuses values that a new object may not have, unless the objects exist', async () => {
  const text = `scope: { name_prefix: old }
nodes:
  - { node_type: generic, node_name: old-1, address: 10.0.0.256 }
  - { node_type: generic, node_name: "old-cafe\\u0301", address: 127.0.0.1 }
services:
  - { service_type: mysql, service_name: old-db, node_names: [old-1], address: db..example.com, port: 3306 }
agents:
  - { agent_type: pmm_agent, runs_on_node_name: old-1 }
  - { agent_type: external_exporter, runs_on_node_name: old-1, listen_port: 1, metrics_path: //m }
`;
  const { code, err } = await run(['lint', '-f', await file(text)], { env: {} });
  const places = err
    .trimEnd()
    .split('\n')
    .map((printed) => printed.replace(/^.*?fleet.yaml:(\d+):\d+ ([^:]*): .+$/, '$1 $2'));
  expect([code, places]).toEqual([
    64,
    [
      '3 nodes[0].address',
      '4 nodes[1].node_name',
      '4 nodes[1].address',
      '6 services[0].address',
      '9 agents[1].metrics_path',
    ],
  ]);
  const accepted = await run(['lint', '--existing', '-f', await file(text)], { env: {} });
  expect([accepted.code, accepted.rows[1]?.slice(1)]).toEqual([0, ['2', '1', '2']]);
});

test('lint --stored lists the stored values that a new object may not have', async () => {
  const { table } = line.inventory;
  const node = { ...newNode(1), node_name: 'of-before', address: '10.0.0.256' };
  const service = toEntity('service', {
    ...newRecord(testTime()),
    ...{ service_id: randomUUID(), service_type: 'mysql', service_name: 'of-before', node_ids: [node.node_id] },
    ...{ address: 'db..example.com', port: 3306, custom_labels: {} },
  });
  await putObjects(table, [toEntity('node', node), toEntity('node', newNode(2)), service]);
  const { code, rows } = await run(['lint', '--stored', '--no-headers']);
  expect([code, rows.map(([object, field]) => [object, field])]).toEqual([
    0,
    [
      ['node/of-before', 'address'],
      ['service/of-before', 'address'],
    ],
  ]);
  expect(await run(['lint', '--stored', '-f', 'fleet.yaml'])).toMatchObject({
    code: 64,
    err: 'Error: --stored reads the inventory. Leave out --file.\n',
  });
});

test('lint counts the objects of a valid file without a server', async () => {
  const { code, rows } = await run(['lint', '-f', await file(fleet('lint'))], { env: {} });
  expect([code, rows[1]?.slice(1)]).toEqual([0, ['1', '1', '2']]);
});

test('the schema has the fields of all objects, and requires none that has a default', async () => {
  const schema = (await run(['schema'], { env: {} })).json();
  expect(Object.keys(schema.properties)).toEqual(['scope', 'defaults', 'nodes', 'services', 'agents']);
  expect(JSON.stringify(schema)).not.toContain('#/components');
  const references = JSON.stringify(schema).matchAll(/"#\/\$defs\/(\w+)"/g);
  for (const [, name = ''] of references) expect(schema.$defs).toHaveProperty(name);
  expect(schema.$defs.Add_remote_rds_node.required).toEqual(['node_type', 'node_name']);
});

test("the schema of one kind is that of its list's objects", async () => {
  const whole = (await run(['schema'], { env: {} })).json();
  const schemaOfService = (await run(['schema', 'service'], { env: {} })).json();
  expect([schemaOfService.$ref, schemaOfService.$defs]).toEqual([whole.properties.services.items.$ref, whole.$defs]);
  expect((await run(['schema', 'clusters'], { env: {} })).code).toBe(64);
});

describe('a plan', () => {
  test('shows differences and ends with 2, and after apply with 0', async () => {
    const path = await file(fleet('shop'));
    const plan = await run(['plan', '-f', path]);
    expect([plan.code, plan.out]).toEqual([2, expect.stringContaining('4 to add, 0 to change, 0 to remove')]);
    const apply = await run(['apply', '-f', path, '-y']);
    expect([apply.code, apply.out]).toEqual([0, expect.stringContaining('done, 4 of 4 done')]);
    expect((await run(['get', 'node', 'shop-1', '-o', 'json'])).json()).toMatchObject({ region: 'eu' });
    const { code, out } = await run(['plan', '-f', path]);
    expect([code, out]).toEqual([0, expect.stringContaining('0 to add, 0 to change, 0 to remove, 4 unchanged')]);
    expect((await run(['plan', '-f', path, '--detailed'])).err).toMatch(
      /node_name: shop-1[^]*region: eu|region: eu[^]*node_name: shop-1/,
    );
    const changed = await run(['plan', '-o', 'markdown', '-f', await file(fleet('shop', '10.0.7.2'))]);
    expect(changed.out).toContain('| change | node shop-1 | address: shop.example -> 10.0.7.2 |');
  });

  test('needs only a Viewer, and sends no writing request', async () => {
    const env = { INVENTORY_URL: 'http://inventory', INVENTORY_KEY: line.inventory.keys.Viewer };
    const path = await file(fleet('viewer'));
    expect((await run(['plan', '-f', path], { env })).code).toBe(2);
    expect((await run(['apply', '-f', path, '-y'], { env })).code).toBe(3);
    expect((await run(['get', 'nodes', '--prefix', 'viewer', '-o', 'name'])).out).toBe('');
  });

  test('that was reviewed is applied with another key, and after a change refused with 6', async () => {
    const path = await file(fleet('review'));
    const out = join(folder, 'plan.json');
    const env = { INVENTORY_URL: 'http://inventory', INVENTORY_KEY: line.inventory.keys.Viewer };
    expect((await run(['plan', '-f', path, '--out', out], { env })).code).toBe(2);
    expect([(await stat(out)).mode & 0o777, await readFile(out, 'utf8')]).toEqual([
      0o600,
      expect.not.stringContaining(line.inventory.keys.Viewer),
    ]);
    expect((await run(['apply', out])).code).toBe(0);
    // The same plan is done: to apply it once more changes nothing.
    expect((await run(['plan', '-f', path])).code).toBe(0);
    await run(['plan', '-f', await file(fleet('review', '10.0.7.9')), '--out', out]);
    await run(['apply', '-y', '-f', await file(fleet('review', '10.0.7.8'))]);
    const { code, err } = await run(['apply', out]);
    expect([code, err.trimEnd().split('\n').length]).toEqual([6, 1]);
    expect((await run(['get', 'node', 'review-1', '-o', 'json'])).json().address).toBe('10.0.7.8');
  });

  test('with removals above the limit is shown, and nothing is applied', async () => {
    await run(['apply', '-y', '-f', await file(fleet('gone'))]);
    const path = await file(
      'scope: { selector: fleet=gone }\nnodes: [{ node_type: generic, node_name: gone-2, address: a, custom_labels: { fleet: gone } }]\n',
    );
    const plan = await run(['plan', '-f', path]);
    expect([plan.code, plan.out]).toEqual([4, expect.stringContaining('max_removals_percent allows 20 %')]);
    expect((await run(['apply', '-y', '-f', path])).code).toBe(4);
    expect((await run(['get', 'nodes', '--prefix', 'gone', '-o', 'name'])).out).toBe('node/gone-1\n');
    expect((await run(['apply', '-y', '-f', path, '--max-removals', '100%'])).code).toBe(0);
    expect((await run(['get', 'nodes', '--prefix', 'gone', '-o', 'name'])).out).toBe('node/gone-2\n');
  });
});

describe('an apply', () => {
  test('asks, and without a terminal and --yes changes nothing', async () => {
    const path = await file(fleet('asked'));
    expect((await run(['apply', '-f', path])).code).toBe(64);
    expect((await run(['apply', '-f', path], { ask: () => Promise.resolve('n') })).code).toBe(1);
    expect((await run(['get', 'nodes', '--prefix', 'asked', '-o', 'name'])).out).toBe('');
    expect((await run(['apply', '-f', path], { ask: () => Promise.resolve('y') })).code).toBe(0);
  });

  test('shows a new plan and asks again when the inventory has changed', async () => {
    const path = await file(fleet('outdated'));
    let asked = 0;
    const ask = async () => {
      asked += 1;
      // Another program applies a part of the same file.
      if (asked === 1) expect((await run(['apply', '-y', '-f', await file(fleet('outdated'))])).code).toBe(0);
      return 'y';
    };
    const { code, err } = await run(['apply', '-f', path], { ask });
    expect([code, err]).toEqual([0, expect.stringContaining('A new plan follows.')]);
    expect((await run(['plan', '-f', path])).code).toBe(0);
    // Nothing is left to be done: nothing to ask.
    expect(asked).toBe(1);
  });

  test('names blocked items, and by default applies nothing then', async () => {
    const body = { node_type: 'generic', node_name: 'other-1', address: 'a' };
    await line.inventory.request('POST', '/v1/nodes', { body });
    const path = await file(fleet('other'));
    const refused = await run(['apply', '-y', '-f', path]);
    expect([refused.code, refused.out]).toEqual([4, expect.stringMatching(/blocked +node other-1/)]);
    expect((await run(['get', 'services', '--prefix', 'other', '-o', 'name'])).out).toBe('');
    const rest = await run(['apply', '-y', '-f', path, '--on-blocked', 'continue']);
    expect(rest.code).toBe(4);
  });

  test.each([
    [['apply'], /plan file, or -f/],
    [['apply', 'nowhere.json'], /nowhere.json/],
    [['apply', '-f', '/nowhere'], /nowhere/],
    [['plan'], /-f PATH/],
    [['plan', '-f', '/etc/hostname', '--max-removals', 'x'], /hostname|--max-removals/],
    [['pull'], /--selector or --prefix/],
  ])('%j ends with 64 and one line', async (argv, message) => {
    const { code, err } = await run(argv);
    expect([code, err]).toEqual([64, expect.stringMatching(message)]);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
  });
});

test('a pulled file equals the inventory, and is the same each time', async () => {
  await run(['apply', '-y', '-f', await file(fleet('pulled'))]);
  const { code, out } = await run(['pull', '-l', 'fleet=pulled']);
  expect([code, Object.keys(parse(out))]).toEqual([0, ['scope', 'nodes', 'services', 'agents']]);
  expect((await run(['pull', '-l', 'fleet=pulled'])).out).toBe(out);
  const plan = await run(['plan', '-f', await file(out, 'pulled.yaml')]);
  expect([plan.code, plan.out]).toEqual([0, expect.stringContaining('4 unchanged')]);
  await run(['pull', '-l', 'fleet=pulled', '-d', join(folder, 'git')]);
  expect(await readFile(join(folder, 'git', 'fleet=pulled.yaml'), 'utf8')).toBe(out);
});

test("the guide's example is a valid file", async () => {
  const guide = await readFile(new URL('../../docs/cli.md', import.meta.url), 'utf8');
  const [example = ''] = fencedBlocks(guide, 'yaml');
  const { code, rows } = await run(['lint', '-f', await file(example)], { env: {} });
  expect([code, rows[1]?.slice(1)]).toEqual([0, ['1', '1', '1']]);
});

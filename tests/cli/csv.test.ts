/** Tables: spreadsheets of hosts become nodes, and the output of `get -o csv` is input again. */
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addOfType, everyType } from '../support/object-of-type.ts';
import { ADDRESS, type CommandLine, startCommandLine } from './command.ts';

let line: CommandLine;
let folder: string;
const run = (...argv: string[]) => line.inventoryCommand(argv);
const words = (text: string) => text.split(' ');
const get = async (kind: string, name: string) => (await run('get', kind, name, '-o', 'json')).json();

beforeAll(async () => (line = await startCommandLine()));
afterAll(() => line.stop());
beforeEach(async () => {
  folder = await mkdtemp(join(line.home, 'csv-'));
  line.sent.length = 0;
});

async function file(text: string | Buffer, name = 'hosts.csv'): Promise<string> {
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

const writes = () => line.sent.filter((request) => !request.startsWith('GET '));

describe('import', () => {
  test('adds hosts, changes only what the rows give, and does nothing the second time', async () => {
    const hosts = await file(
      'name;type;address;region;label.team\r\nin-1;generic;in-1.example;eu;dba\r\nin-2;generic;in-2.example;;\r\n',
    );
    expect(await run('import', hosts)).toMatchObject({
      code: 0,
      out: '2 added, 0 changed, 0 unchanged, 0 refused.\n',
      err: '',
    });
    await run('change', 'node/in-1', 'az=b', 'label.env=prod');
    line.sent.length = 0;
    expect((await run('import', hosts)).out).toBe('0 added, 0 changed, 2 unchanged, 0 refused.\n');
    expect(writes()).toEqual([]);
    const moved = await file('name,type,region,label.team\nin-1,generic,us,web\nin-2,generic,,\n');
    expect((await run('import', moved)).out).toBe('0 added, 1 changed, 1 unchanged, 0 refused.\n');
    expect(await get('node', 'in-1')).toMatchObject({
      region: 'us',
      az: 'b',
      custom_labels: { team: 'web', env: 'prod' },
    });
  });

  test('links nodes, services and agents of several files by name', async () => {
    const nodes = await file('node_name,node_type,address\nref-1,generic,ref-1.example\n', 'nodes.csv');
    const services = await file(
      'service_name,service_type,node_names,address,port\nref-db,mysql,ref-1,ref-1.example,3306\n',
      'services.csv',
    );
    const agents = await file(
      'agent_type,runs_on_node_name,insights.service_names\nmysqld_exporter,ref-1,ref-db\npmm_agent,ref-1,\n',
      'agents.csv',
    );
    const all = ['import', agents, services, nodes];
    expect((await run(...all, '--dry-run')).out).toBe('Would be: 4 added, 0 changed, 0 unchanged, 0 refused.\n');
    expect(writes()).toEqual([]);
    expect((await run(...all)).out).toBe('4 added, 0 changed, 0 unchanged, 0 refused.\n');
    expect((await run(...all)).out).toBe('0 added, 0 changed, 4 unchanged, 0 refused.\n');
    expect((await run(...words('get agent mysqld_exporter of ref-db on ref-1 -o json'))).code).toBe(0);
  });

  test('names each wrong value by line and column, and writes nothing', async () => {
    const hosts = await file(
      'node_name,node_type,address,region\n' +
        'bad-1,generic,127.0.0.1,\n' +
        'bad-2,generic,,\n' +
        'bad-3,container,bad-3.example,\n' +
        'bad-4,generic,bad-4.example:3306,\n' +
        'bad-5,generic,bad-5.example,\n' +
        'bad-5,generic,bad-5b.example,\n' +
        'in-2,remote,,\n',
    );
    line.sent.length = 0;
    const { code, out, err } = await run('import', hosts);
    expect([code, out, writes()]).toEqual([64, '', []]);
    const named = err
      .trimEnd()
      .split('\n')
      .map((text) => text.replace(folder, ''));
    expect(named).toEqual([expect.stringMatching(/^\/hosts\.csv:3:3 address: Required\.$/)]);
    const rest = await file((await readFile(hosts, 'utf8')).replace(/^bad-2.*\n/m, ''));
    const more = (await run('import', rest)).err.replaceAll(folder, '');
    expect(more).toMatch(
      /^\/hosts\.csv:2:3 address: .*\n\/hosts\.csv:4:3 address: .*\n\/hosts\.csv:6:2 node_type: The same object is in \/hosts\.csv:5:1\.\n\/hosts\.csv:7:2 node_type: It is a generic, and a type cannot change/m,
    );
    const absent = await file('service_name,service_type,node_names,address,port\nx,mysql,absent,a,1\n');
    expect((await run('import', absent)).err).toMatch(/:2:3 node_names: There is no node absent\.$/m);
    const alone = await file('agent_type,runs_on_node_name\nnode_exporter,in-1\n');
    expect((await run('import', alone)).err).toMatch(/:2:2 runs_on_node_name: No pmm_agent runs on in-1\.$/m);
  });

  test('writes refused rows to a file, to be corrected and imported', async () => {
    await run(...words('add node full-1 --type container --address full.example --container-id c1'));
    const hosts = await file(
      'node_name;node_type;address;container_id\nfull-2;container;"x, y";\nfull-3;container;full-3.example;c1\nfull-4;container;full-4.example;c4\n'.replace(
        '"x, y"',
        'full-2.example',
      ),
    );
    const refused = join(folder, 'refused.csv');
    const { code, out, err } = await run('import', hosts, '--refused', refused);
    expect([code, out]).toEqual([4, '2 added, 0 changed, 0 unchanged, 1 refused.\n']);
    expect(err).toMatch(/hosts\.csv:3:\d node full-3: .*c1/);
    expect(await readFile(refused, 'utf8')).toBe(
      'node_name;node_type;address;container_id\nfull-3;container;full-3.example;c1\n',
    );
  });

  test('needs only an Editor, and accepts the standard input and other spreadsheet encodings', async () => {
    const env = { INVENTORY_URL: ADDRESS, INVENTORY_KEY: line.inventory.keys.Editor };
    const readInput = () => Promise.resolve('name,address\ned-1,ed-1.example\n');
    const piped = await line.inventoryCommand(['import', '-', '--default', 'type=generic'], { env, readInput });
    expect(piped).toMatchObject({ code: 0, out: '1 added, 0 changed, 0 unchanged, 0 refused.\n' });
    const wide = await file(Buffer.from('\uFEFFname\taddress\r\ned-1\ted-1.example\r\n', 'utf16le'));
    expect((await run('import', wide, '--default', 'type=generic')).out).toContain('1 unchanged');
  });

  test.each([
    [['import', 'a.csv', 'b.ndjson'], /alone/],
    [['import', 'a.csv', '--progress-file', 'p'], /--progress-file/],
    [['import', 'a.csv', 'b.csv', '--refused', 'r'], /--refused/],
    [['import', '/nowhere.csv'], /nowhere/],
  ])('%j ends with 64', async (argv, message) => {
    expect(await run(...argv)).toMatchObject({ code: 64, err: expect.stringMatching(message) });
  });
});

describe('a desired state', () => {
  test("of CSV files has the options' scope, a plan with places, and is applied", async () => {
    const hosts = await file('name,address\nst-1,st-1.example\nst-2,st-2.example\n');
    const scope = ['-l', 'fleet=csv', '--default', 'type=generic', '--default', 'label.fleet=csv'];
    expect((await run('plan', '-f', hosts)).err).toMatch(/no scope.*--selector or --prefix.*inventory import/);
    const plan = await run('plan', '-f', hosts, ...scope);
    expect([plan.code, plan.out]).toEqual([2, expect.stringContaining('2 to add')]);
    expect((await run('apply', '-y', '-f', hosts, ...scope)).code).toBe(0);
    expect((await run('plan', '-f', hosts, ...scope)).code).toBe(0);
    const oneRenamed = await file('name,address\nst-1,st-1b.example\n');
    const changed = await run('plan', '-f', oneRenamed, ...scope, '--max-removals', '50%');
    expect(changed.out).toMatch(/change +node st-1 +address: st-1.example -> st-1b.example[^]*remove +node st-2/);
    const outside = await run('plan', '-f', hosts, '-l', 'fleet=csv', '--default', 'type=generic');
    expect([outside.code, outside.err.replaceAll(folder, '')]).toEqual([
      64,
      expect.stringMatching(/^\/hosts\.csv:2:1.*Outside the scope/),
    ]);
  });

  test('is checked without a scope and a server', async () => {
    const hosts = await file('name,address,colour\nst-1,127.0.0.1,red\n');
    const argv = ['lint', '-f', hosts, '--default', 'type=generic'];
    expect((await line.inventoryCommand(argv, { env: {} })).err).toMatch(/hosts\.csv:1:3 colour: No field of a node/);
    const right = await file('name,address\nst-1,127.0.0.1\n');
    expect((await line.inventoryCommand(argv, { env: {} })).err.replace(right, '')).toMatch(/^:2:2 address: /);
    expect((await line.inventoryCommand([...argv, '--existing'], { env: {} })).code).toBe(0);
    expect(line.sent).toEqual([]);
  });

  test('of a folder has its YAML and CSV files', async () => {
    await file(
      'scope: { selector: fleet=y }\nnodes: [{ node_type: generic, node_name: y-1, address: a, custom_labels: { fleet: y } }]\n',
      'y.yaml',
    );
    await file('node_name,node_type,address,label.fleet\nc-1,generic,b,c\n', 'c.csv');
    const { rows } = await run('lint', '-f', folder, '-l', 'fleet=c');
    expect(rows.map((row) => [row[0]?.replace(folder, ''), row[1]])).toEqual([
      ['FILE', 'NODES'],
      ['/y.yaml', '1'],
      ['/c.csv', '1'],
    ]);
    expect((await run('plan', '-f', join(folder, 'y.yaml'), '-l', 'fleet=y')).err).toMatch(/the scope of files in CSV/);
  });
});

test('the output of get -o csv can be imported without a change, and a plan of it has no difference', async () => {
  const add = (path: string, body: object) =>
    line.inventory.request('POST', path, { body: { ...body, custom_labels: { round: 'trip', odd: '=1, "x"' } } });
  for (const type of everyType) expect([type, await addOfType(add, type)]).toEqual([type, 201]);
  const files = [];
  for (const items of ['nodes', 'services', 'agents'])
    files.push(await file((await run('get', items, '-l', 'round=trip', '-o', 'csv')).out, `${items}.csv`));
  const counts = await Promise.all(
    files.map(async (path) => (await readFile(path, 'utf8')).trimEnd().split('\n').length - 1),
  );
  const total = counts.reduce((sum, count) => sum + count, 0);
  expect(total).toBeGreaterThan(everyType.length);
  expect(await run('import', ...files)).toMatchObject({
    code: 0,
    err: '',
    out: `0 added, 0 changed, ${total} unchanged, 0 refused.\n`,
  });
  const plan = await run('plan', ...files.flatMap((path) => ['-f', path]), '-l', 'round=trip');
  expect([plan.err, plan.out]).toEqual([
    '',
    expect.stringContaining(`0 to add, 0 to change, 0 to remove, ${total} unchanged.`),
  ]);
  // Another inventory gets the same objects.
  const other = await startCommandLine();
  const imported = await other.inventoryCommand(['import', ...files]);
  expect(imported).toMatchObject({ code: 0, out: `${total} added, 0 changed, 0 unchanged, 0 refused.\n` });
  await other.stop();
});

test('the example of the guide is imported', async () => {
  const guide = await readFile(new URL('../../docs/cli.md', import.meta.url), 'utf8');
  const [, example = ''] = /^```\n(name;type;[^]*?)^```$/m.exec(guide) ?? [];
  expect((await run('import', await file(example))).out).toBe('2 added, 0 changed, 0 unchanged, 0 refused.\n');
  expect(await get('node', 'web-2')).toMatchObject({ address: '10.0.8.2', custom_labels: { team: 'shop' } });
});

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quietWorld } from '../../../../tests/support/command-call.ts';
import { parseState, readStateFiles } from './state-file.ts';

const fleet = `scope:
  selector: fleet=a
defaults:
  custom_labels: { fleet: a, team: dba }
  region: eu
  port: 3306
nodes:
  - { node_type: generic, node_name: a-1, address: a }
  - { node_type: generic, node_name: a-2, address: b, region: us, custom_labels: { team: web } }
services:
  - { service_type: mysql, service_name: a-db, node_names: [a-1], address: a }
`;

describe('objects of a file', () => {
  test('have the defaults of their type, with labels merged by name', () => {
    const { request } = parseState(fleet, 'fleet.yaml');
    expect(request).toEqual({
      scope: { selector: 'fleet=a' },
      desired: {
        nodes: [
          {
            ...{ node_type: 'generic', node_name: 'a-1', address: 'a', region: 'eu' },
            custom_labels: { fleet: 'a', team: 'dba' },
          },
          {
            ...{ node_type: 'generic', node_name: 'a-2', address: 'b', region: 'us' },
            custom_labels: { fleet: 'a', team: 'web' },
          },
        ],
        services: [
          {
            ...{ service_type: 'mysql', service_name: 'a-db', node_names: ['a-1'], address: 'a', port: 3306 },
            custom_labels: { fleet: 'a', team: 'dba' },
          },
        ],
        agents: [],
      },
    });
  });

  test('have their removal share in the scope and the request', () => {
    const { request } = parseState('scope: { selector: fleet=a, max_removals_percent: 30 }', 'a');
    expect([request.scope, request.max_removals_percent]).toEqual([{ selector: 'fleet=a' }, 30]);
  });

  test('are found in the file by the fields of a request', () => {
    const { placeOf } = parseState(fleet, 'fleet.yaml');
    expect(placeOf('desired.nodes.1.address')).toBe('fleet.yaml:9:52 nodes[1].address');
    // A default is at the object that has it.
    expect(placeOf('desired.nodes.0.region')).toBe('fleet.yaml:8:5 nodes[0].region');
    expect(placeOf('scope.selector')).toBe('fleet.yaml:2:13 scope.selector');
    expect(placeOf('max_removals_percent')).toBe('fleet.yaml:2:3 scope.max_removals_percent');
  });
});

/** The lines of the error. */
function linesOf(text: string): string[] {
  try {
    parseState(text, 'f');
  } catch (error) {
    return (error as Error).message.split('\n');
  }
  return [];
}

test('an alias without an anchor is an error at its place, first of several', () => {
  const text = 'scope: { selector: fleet=a }\ndefaults: &own { region: eu }\nnodes: [*own, *missing, *other]\n';
  expect(() => parseState(text, 'fleet.yaml')).toThrow(/^fleet\.yaml:3:15 .*missing/);
});

test('more aliases than a file needs are an error at its start', () => {
  const anchors = ['a', 'b', 'c', 'd', 'e'].map(
    (name, index, names) => `${name}: &${name} [${`*${names[index - 1]},`.repeat(index && 9)} 1]\n`,
  );
  expect(() => parseState(anchors.join(''), 'f')).toThrow(/^f:1:1 Excessive alias count/);
});

test.each([
  ['nodes: [', [/^f:1:9 /]],
  ['- a', [/^f:1:1 Must be an object/]],
  ['', [/^f:1:1 Must be an object/]],
  ['scope: { selector: a=b }\nhosts: []', [/^f:2:8 hosts: Unknown field\.$/]],
  ['scope: { selector: a=b }\ndefaults: 7', [/^f:2:11 defaults: Must be an object\.$/]],
  ['scope: { selector: a=b }\ndefaults: { colour: red }', [/^f:2:21 defaults\.colour: No object has this field\.$/]],
  ['nodes: []', [/scope/]],
  ['scope: { selector: a=b }\nnodes: 7', [/^f:2:8 nodes: /]],
  ['scope: { selector: a=b }\nnodes: [7]', [/^f:2:9 nodes\[0\]: /]],
  ['scope: { selector: a=b }\nnodes: [{ node_type: generic, node_name: x }]', [/^f:2:9 nodes\[0\]\.address: /]],
  ['scope: { selector: a=b }\nnodes: *x', [/^f:2:8 /]],
  [
    'scope: { selector: a=b }\nnodes: [{ &x node_type: generic }, { <<: *x }, { "<<": {} }]',
    [/^f:2:38 Merge keys \(<<\) are not supported: state common fields under defaults\.$/, /^f:2:50 Merge keys/],
  ],
  ['scope: { selector: a=b }\nnodes: [{ <<: {} }]', [/^f:2:11 Merge keys/]],
  [
    'scope: { selector: a=b }\nnodes: [{ node_type: generic, node_name: x }, { node_type: generic, address: y }]\nx: 1',
    [/^f:3:4 x: /, /^f:2:9 nodes\[0\]\.address: /, /^f:2:47 nodes\[1\]\.node_name: /],
  ],
])('every error of %j is on its line', (text, lines) => {
  expect(linesOf(text)).toEqual(lines.map((line) => expect.stringMatching(line)));
});

describe('files at paths', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'inventory-state-'))));
  afterEach(() => rm(folder, { recursive: true }));

  const write = (files: Record<string, string>) =>
    Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)));
  const state = (name: string, scope = `selector: fleet=${name}`, label = name) =>
    `scope: { ${scope} }\n` +
    `nodes: [{ node_type: generic, node_name: ${name}, address: x, custom_labels: { fleet: ${label} } }]\n`;

  const read = (paths: string[], input = '') =>
    readStateFiles(paths, quietWorld({ readInput: () => Promise.resolve(input) }));

  test('are those of a folder by name, each once, without schemas, other files and folders below', async () => {
    await mkdir(join(folder, 'below'));
    await write({ 'b.yaml': state('b'), 'a.yml': state('a'), 'c.json': '{"scope":{"selector":"fleet=c"}}' });
    await write({ 'x.schema.json': '{', 'README.md': '#', 'below/d.yaml': state('d') });
    const files = await read([folder, join(folder, 'a.yml')]);
    expect(files.map(({ path }) => path)).toEqual(['a.yml', 'b.yaml', 'c.json'].map((name) => join(folder, name)));
  });

  test('that do not exist, and an empty folder, are errors of use', async () => {
    await expect(read([folder])).rejects.toMatchObject({
      exit: 'usage',
      message: `There is no file (.yaml, .yml, .json, .csv) in ${folder}.`,
    });
    await expect(read([join(folder, 'none')])).rejects.toMatchObject({ exit: 'usage' });
    await expect(read([])).rejects.toMatchObject({
      exit: 'usage',
      message: 'Name a file or a folder: -f PATH. -f - is the standard input.',
    });
  });

  test('can be the standard input, which is read once', async () => {
    const [file, ...others] = await read(['-', '-'], state('a'));
    expect([file?.path, file?.request.scope, others]).toEqual(['stdin', { selector: 'fleet=a' }, []]);
    await expect(read(['-'], 'a: 1')).rejects.toMatchObject({
      message: expect.stringMatching(/^stdin:1:4 a: Unknown field\./),
    });
  });

  test('with two documents are refused at the second one', async () => {
    await expect(read(['-'], `${state('a')}---\n${state('b')}`)).rejects.toMatchObject({
      message: 'stdin:3:1 Another document begins here. Write it into a file of its own.',
    });
  });

  test('are refused with the errors of all of them', async () => {
    await write({ 'a.yaml': 'a: 1', 'b.yaml': '- b', 'c.yaml': state('c') });
    const message = await read([folder]).catch((error: unknown) => String(error));
    expect(message).toMatch(/a\.yaml:1:4 a: Unknown field\.[^]*b\.yaml:1:1 Must be/);
  });

  test("are refused if one contains an object in another's scope, because they would undo each other", async () => {
    await write({ 'a.yaml': state('a'), 'b.yaml': state('b', 'name_prefix: b', 'a') });
    await expect(read([folder])).rejects.toMatchObject({
      message: expect.stringMatching(/b\.yaml:2:9 nodes\[0\]: Is in the scope of .*a\.yaml too\.$/),
    });
  });

  test('are refused if a service of one is in the scope of another', async () => {
    const service = 'service_type: mysql, service_name: b-db, address: x, port: 1, custom_labels: { fleet: a }';
    await write({ 'a.yaml': state('a'), 'b.yaml': `scope: { name_prefix: b }\nservices: [{ ${service} }]\n` });
    await expect(read([folder])).rejects.toThrow(/b\.yaml:2:12 services\[0\]: Is in the scope of .*a\.yaml too\.$/);
  });

  test('in CSV are one desired state with the scope of the options, which is for no others', async () => {
    const scope = { selector: 'fleet=c' };
    await write({ 'hosts.csv': 'node_name,node_type,address,label.fleet\nc-1,generic,a,c\n', 'a.yaml': state('a') });
    const files = await readStateFiles([folder], quietWorld(), { scope });
    expect(files.map(({ request }) => request.scope)).toEqual([{ selector: 'fleet=a' }, scope]);
    await expect(readStateFiles([join(folder, 'a.yaml')], quietWorld(), { scope })).rejects.toMatchObject({
      ...{ exit: 'usage', message: '--selector and --prefix are the scope of files in CSV.' },
    });
  });
});

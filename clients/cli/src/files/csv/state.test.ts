import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseTables, placeIn, readTables, rowsByList } from './state.ts';

const nodes = 'node_name,node_type,address\ndb-1,generic,a\n';

let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inventory-csv-'));
  file = join(folder, 'hosts.csv');
  await writeFile(file, nodes);
});
afterAll(() => rm(folder, { recursive: true }));

test('the errors of all tables are reported together', () => {
  const tables = ['a', 'b'].map((path) => ({ path, text: 'node_name,colour\ndb-1,red\n' }));
  expect(() => parseTables(tables, [])).toThrow(/^a:1:2[^]*\nb:1:2/);
});

test('the error of the only wrong table is reported', () => {
  const tables = [nodes, 'node_name,colour\ndb-1,red\n'].map((text, index) => ({ path: `t${index}`, text }));
  expect(() => parseTables(tables, [])).toThrow(/^t1:1:2/);
});

test('a place is the row and column of a field, or the file without a row', () => {
  const placeOf = placeIn(rowsByList(parseTables([{ path: 'hosts.csv', text: nodes }], [])), 'all.csv');
  expect(['desired.nodes.0.address', 'desired.nodes.0', 'desired.nodes.1.address', 'scope'].map(placeOf)).toEqual([
    ...['hosts.csv:2:3 address', 'hosts.csv:2:1', 'all.csv desired.nodes.1.address', 'all.csv scope'],
  ]);
});

test('files with a scope are one desired state', async () => {
  const { path, request } = await readTables([file], { scope: { selector: 'fleet=a' }, defaults: ['label.fleet=a'] });
  expect([path, request]).toEqual([
    file,
    {
      scope: { selector: 'fleet=a' },
      desired: {
        nodes: [{ node_name: 'db-1', node_type: 'generic', address: 'a', custom_labels: { fleet: 'a' } }],
        services: [],
        agents: [],
      },
    },
  ]);
});

test('without a scope a file is only linted', async () => {
  await expect(readTables([file], {})).rejects.toThrow(`${file}: Files in CSV have no scope.`);
  expect((await readTables([file], { isLint: true })).request.scope).toBeUndefined();
});

test('a file that cannot be read is named', async () => {
  const absent = join(folder, 'absent.csv');
  await expect(readTables([absent], { isLint: true })).rejects.toThrow(
    `ENOENT: no such file or directory, open '${absent}'`,
  );
});

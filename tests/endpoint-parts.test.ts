import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { missingParts } from '../tools/endpoint-parts.ts';

test('every endpoint has all its parts', async () => {
  expect(await missingParts()).toEqual([]);
});

describe('an absent part is reported with its file and what to write', () => {
  let root: string;
  beforeEach(async () => (root = await mkdtemp(join(tmpdir(), 'endpoint-parts-'))));
  afterEach(() => rm(root, { recursive: true }));

  const callFiles = ['tests/costs/measured.ts', 'tests/faults/calls.ts', 'tests/support/story.ts'];

  /** The files named in the report for a checkout with these files, and the report. */
  async function reportOf(files: Record<string, string>) {
    const empty = Object.fromEntries(['functions/api/endpoint-table.ts', ...callFiles].map((name) => [name, '']));
    for (const [name, text] of Object.entries({ ...empty, ...files })) {
      await mkdir(dirname(join(root, name)), { recursive: true });
      await writeFile(join(root, name), text);
    }
    const report = await missingParts(pathToFileURL(`${root}/`));
    return { report, named: report.map((line) => line.split(': ')[0]) };
  }

  const contract = (fields: object) =>
    `export const endpoint = ${JSON.stringify({ id: 'listClusters', folder: 'clusters/list', method: 'GET', path: '/v1/clusters', access: 'read', ...fields })};`;
  const folder = 'functions/api/clusters/list';
  const table = {
    'functions/api/endpoint-table.ts': "export { endpoint as listClusters } from './clusters/list/endpoint.ts';\n",
  };
  const parts = {
    [`${folder}/endpoint.ts`]: contract({}),
    [`${folder}/handler.ts`]: '',
    [`${folder}/handler.test.ts`]: '',
  };

  test('but nothing when all are present', async () => {
    expect((await reportOf({ ...parts, ...table })).report).toEqual([]);
  });

  test.each(['endpoint.ts', 'handler.ts', 'handler.test.ts'])('%s', async (name) => {
    const others = Object.fromEntries(Object.entries(parts).filter(([file]) => file !== `${folder}/${name}`));
    expect((await reportOf({ ...others, ...table })).named).toEqual([`${folder}/${name}`]);
  });

  test('the line of the table, or one with another name', async () => {
    const line = [`functions/api/endpoint-table.ts: write \`${Object.values(table)[0]?.trim()}\``];
    expect((await reportOf(parts)).report).toEqual(line);
    const renamed = Object.values(table)[0]!.replace('listClusters', 'clusters');
    expect((await reportOf({ ...parts, 'functions/api/endpoint-table.ts': renamed })).report).toEqual(line);
  });

  test('all files of an endpoint that is only a line of the table', async () => {
    expect((await reportOf(table)).named).toEqual(Object.keys(parts));
  });

  test('another folder', async () => {
    const moved = { [`${folder}/endpoint.ts`]: contract({ folder: 'clusters/all' }) };
    expect((await reportOf({ ...parts, ...table, ...moved })).report).toEqual([
      `${folder}/endpoint.ts: write \`folder: 'clusters/list'\``,
    ]);
  });

  const elsewhere = ['functions/openapi/examples/', 'tests/costs/costs.ts'];

  test.each([
    ['of a simple read', {}, elsewhere],
    ['of a read of an object', { path: '/v1/nodes/{node_id}/clusters' }, elsewhere],
    ['of another endpoint', { method: 'POST' }, [...elsewhere, ...callFiles]],
    ['of a read with a parameter', { path: '/v1/clusters/{name}' }, [...elsewhere, ...callFiles]],
    [
      'of an endpoint without the table, which has no faults',
      { method: 'POST', access: 'none' },
      [...elsewhere, 'tests/costs/measured.ts', 'tests/support/story.ts'],
    ],
  ])('example, cost and calls %s', async (_, fields, expected) => {
    const renamed = JSON.parse(JSON.stringify(table).replace('listClusters', 'countClusters'));
    const changed = { [`${folder}/endpoint.ts`]: contract({ id: 'countClusters', ...fields }) };
    expect((await reportOf({ ...parts, ...renamed, ...changed })).named).toEqual(expected);
  });
});

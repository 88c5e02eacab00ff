import { quietWorld } from '../../../../tests/support/command-call.ts';
import { Options } from '../core/options.ts';
import { formats, type Layout, Output } from './output.ts';

const layout: Layout = {
  columns: ['name', 'state'],
  wide: ['name', 'state', 'region', 'custom_labels', 'az'],
  nameOf: ({ name }) => `node/${String(name)}`,
};
const objects = [
  { name: 'db-1', state: 'live', region: 'eu', custom_labels: { team: 'dba' } },
  { name: 'a, "b"', state: undefined, region: '', custom_labels: {} },
];

/** What is printed with these options. */
async function printed(
  act: (output: Output) => Promise<void> | void,
  options: Record<string, unknown> = {},
  env: Record<string, string> = {},
): Promise<string> {
  let text = '';
  await act(new Output(new Options(options), quietWorld({ env, out: (part) => (text += part) })));
  return text;
}

const list = (options: Record<string, unknown> = {}, isContinued = false) =>
  printed((output) => output.list(objects, layout, isContinued), options);

test('a table has the columns of the list, aligned, and a hyphen for no value', async () => {
  expect(await list()).toBe('NAME     STATE\ndb-1     live\na, "b"   -\n');
});

test('the wide table has more columns, without those that have no value', async () => {
  expect(await list({ output: 'wide' })).toBe(
    'NAME     STATE   REGION   CUSTOM_LABELS\ndb-1     live    eu       team=dba\na, "b"   -       -        -\n',
  );
});

test('the names of columns can be left out, and come once for a list in parts', async () => {
  expect(await list({ headers: false })).toBe('db-1     live\na, "b"   -\n');
  expect(await list({}, true)).toBe('db-1     live\na, "b"   -\n');
});

test('columns can be chosen, also a label by its name; an unknown column is refused', async () => {
  expect(await list({ columns: 'region,custom_labels.team' })).toBe('REGION   LABEL.TEAM\neu       dba\n-        -\n');
  expect(await list({ columns: 'label.team,labels.team' })).toBe(
    'LABEL.TEAM   LABEL.TEAM\ndba          dba\n-            -\n',
  );
  // A chosen column stays in the wide table.
  expect(await list({ output: 'wide', columns: 'az,name' })).toBe('AZ   NAME\n-    db-1\n-    a, "b"\n');
  await expect(list({ columns: 'colour' })).rejects.toMatchObject({ exit: 'usage' });
});

test('a label whose name has dots shows its value', async () => {
  const labelled = [{ name: 'x', custom_labels: { 'a.b': '1' } }];
  const text = printed((output) => output.list(labelled, layout), { columns: 'custom_labels.a.b' });
  expect(await text).toBe('LABEL.A.B\n1\n');
});

test('a column can be named without the kind of the objects', async () => {
  const nodes: Layout = { kind: 'node', columns: ['node_name'], wide: ['node_name', 'node_model'] };
  const text = printed((output) => output.list([{ node_name: 'db-1', node_model: 'm5' }], nodes), {
    columns: 'model,name',
  });
  expect(await text).toBe('NODE_MODEL   NODE_NAME\nm5           db-1\n');
});

test('labels of other results are fields', async () => {
  const targets: Layout = { columns: ['job'], wide: ['job', 'labels'] };
  const text = printed((output) => output.list([{ job: 'mysql', labels: { env: 'prod' } }], targets), {
    columns: 'labels.env',
  });
  expect(await text).toBe('LABELS.ENV\nprod\n');
});

test('CSV has all columns, quotes where needed, and nothing for no value', async () => {
  expect(await list({ output: 'csv' })).toBe('name,state,region,label.team,az\ndb-1,live,eu,dba,\n"a, ""b""",,,,\n');
  const lines = [{ name: 'a\rb', state: 'c\nd' }];
  // Control characters are replaced in every text.
  expect(await printed((output) => output.list(lines, layout), { output: 'csv', columns: 'name,state' })).toBe(
    'name,state\na?b,c?d\n',
  );
});

test('each label and each key of a map is a column of CSV; a list is one cell', async () => {
  const rows = [
    { name: 'a', custom_labels: { team: '-', env: '' }, az: { hr: '5s', inner: { x: ['1', '2'] } } },
    { name: 'b', custom_labels: { note: 'x,y' }, az: {} },
  ];
  const shown = (columns: string) =>
    printed((output) => output.list(rows, layout), { output: 'csv', columns: `name,${columns}` });
  expect(await shown('custom_labels')).toBe(`name,label.env,label.note,label.team\na,,,'-\nb,,"x,y",\n`);
  expect(await shown('az')).toBe('name,az.hr,az.inner.x\na,5s,"1,2"\nb,,\n');
  expect(await printed((output) => output.list([{ name: 'a' }], layout), { output: 'csv' })).toBe(
    'name,state,region,az\na,,,\n',
  );
});

test('an empty key of a map is a column of CSV as well', async () => {
  const rows = [{ name: 'a', az: { '': { x: '1' } } }];
  expect(await printed((output) => output.list(rows, layout), { output: 'csv', columns: 'name,az' })).toBe(
    'name,az..x\na,1\n',
  );
});

test('later parts of a CSV list have the columns of the first', async () => {
  const parts = printed(
    async (output) => {
      await output.list([{ name: 'a', custom_labels: { team: 'x' } }], layout);
      await output.list([{ name: 'b', custom_labels: { team: 'y', env: 'z' } }], layout, true);
    },
    { output: 'csv', columns: 'name,custom_labels' },
  );
  expect(await parts).toBe('name,label.team\na,x\nb,y\n');
});

test('a cell of CSV that a spreadsheet would execute begins with an apostrophe, as in the console', async () => {
  const rows = [{ name: '=1+1', state: '@x, y', az: '-1' }];
  const text = printed((output) => output.list(rows, layout), { output: 'csv', columns: 'name,state,az' });
  expect(await text).toBe(`name,state,az\n'=1+1,"'@x, y",-1\n`);
});

test('Markdown escapes the bar, and always has the names of columns', async () => {
  const rows = [{ name: 'a|b', state: 'live' }];
  expect(await printed((output) => output.list(rows, layout, true), { output: 'markdown', headers: false })).toBe(
    '| name | state |\n| --- | --- |\n| a\\|b | live |\n',
  );
});

test('programs get the objects as they are', async () => {
  expect(JSON.parse(await list({ output: 'json' }))).toEqual(JSON.parse(JSON.stringify(objects)));
  const lines = (await list({ output: 'jsonl' })).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).name)).toEqual(['db-1', 'a, "b"']);
  expect(await list({ output: 'yaml' })).toMatch(/^- name: db-1\n {2}state: live\n/);
  expect(await list({ output: 'name' })).toBe('node/db-1\nnode/a, "b"\n');
});

test('objects without a name of their own are named by the first column', async () => {
  const { columns } = layout;
  expect(await printed((output) => output.list(objects, { columns }), { output: 'name' })).toBe('db-1\na, "b"\n');
});

test('an object is its fields below each other, or the object itself for programs', async () => {
  const object = { name: 'db-1', disabled: false, revision: 3, ids: ['a', 'b'], none: [] };
  const show = (options: Record<string, unknown>) => printed((output) => output.object(object, layout), options);
  expect(await show({})).toBe(
    'FIELD      VALUE\nname       db-1\ndisabled   false\nrevision   3\nids        a,b\nnone       -\n',
  );
  expect(JSON.parse(await show({ output: 'json' }))).toEqual(object);
  expect(await show({ output: 'name' })).toBe('node/db-1\n');
  expect(JSON.parse(await show({ output: 'jsonl' }))).toEqual(object);
});

test('characters that are two columns wide, or none, do not shift the next column', async () => {
  const rows = [
    { name: '数据', state: 'x' },
    { name: 'e\u0301', state: 'x' },
    { name: '👍', state: 'x' },
  ];
  expect(await printed((output) => output.list(rows, layout), { headers: false })).toBe(
    '数据   x\ne\u0301      x\n👍     x\n',
  );
});

test('control characters, which could change a terminal, are not printed', async () => {
  const rows = [{ name: 'a\u001b[2Jb\u0007\u009b', state: '' }];
  expect(await printed((output) => output.list(rows, layout), { headers: false })).toBe('a?[2Jb??   -\n');
});

test('the format is that of the option, of the environment, or a table', () => {
  const formatOf = (options: Record<string, unknown>, env: Record<string, string>) =>
    new Output(new Options(options), quietWorld({ env })).format;
  expect(formatOf({}, {})).toBe('table');
  expect(formatOf({}, { INVENTORY_OUTPUT: '' })).toBe('table');
  expect(formatOf({}, { INVENTORY_OUTPUT: 'json' })).toBe('json');
  expect(formatOf({ output: 'csv' }, { INVENTORY_OUTPUT: 'json' })).toBe('csv');
  expect(() => formatOf({ output: 'xml' }, {})).toThrow(expect.objectContaining({ exit: 'usage' }));
});

test('tables and Markdown are for people, other formats for programs', () => {
  const forPeople = formats.filter((format) => new Output(new Options({ output: format }), quietWorld()).isForPeople);
  expect(forPeople).toEqual(['table', 'wide', 'markdown']);
});

test('a wide character takes two columns of a table, and a combining mark none', async () => {
  const names = ['表', 'e\u0301', 'ab'].map((name) => ({ name, state: 'x' }));
  expect(await printed((output) => output.list(names, layout), { headers: false })).toBe(
    '表   x\ne\u0301    x\nab   x\n',
  );
});

test('a list of one value is that value, and an empty list or map is none', async () => {
  const object = { list: ['a'], map: { b: 1 }, noList: [], noMap: {} };
  expect(await printed((output) => output.object(object, layout), { headers: false })).toBe(
    'list     a\nmap      b=1\nnoList   -\nnoMap    -\n',
  );
});

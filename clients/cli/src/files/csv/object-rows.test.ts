import { withoutFormula } from '../../../../../shared/core/formula.ts';
import { lists } from '../../generated/lists.ts';
import { layoutOf } from '../../objects/objects.ts';
import { defaultsOf, readObjects } from './object-rows.ts';

const read = (text: string, ...defaults: string[]) => readObjects(text, 'hosts.csv', defaultsOf(defaults));
const objectsIn = (text: string, ...defaults: string[]) => read(text, ...defaults).objects.map(({ object }) => object);
const usage = (message: RegExp) => expect.objectContaining({ exit: 'usage', message: expect.stringMatching(message) });

test('a header names fields and labels in any spelling', () => {
  for (const head of [
    'node_name,node_type,address,label.team',
    'name,type,Address,labels.team',
    'Node name,Node type,address,custom_labels.team',
  ])
    expect([head, objectsIn(`${head}\ndb-1,generic,10.0.0.1,dba\n`)]).toEqual([
      head,
      [{ node_name: 'db-1', node_type: 'generic', address: '10.0.0.1', custom_labels: { team: 'dba' } }],
    ]);
});

test.each([
  ['node_name,region', 'node'],
  ['name,type\nx,remote_rds', 'node'],
  ['name,type\nx,mysql', 'service'],
  ['service_name,node_names', 'service'],
  ['Service name;Port', 'service'],
  ['agent_type,runs_on_node_name', 'agent'],
])('%j has objects of the kind %s', (text, kind) => expect(read(text).kind).toBe(kind));

test('a default can set the kind, and the values of empty cells and absent columns', () => {
  const text = 'name,address,region\ndb-1,a,\ndb-2,b,us\n';
  expect(objectsIn(text, 'type=generic', 'region=eu', 'label.team=dba', 'port=3306')).toEqual([
    { node_type: 'generic', node_name: 'db-1', address: 'a', region: 'eu', custom_labels: { team: 'dba' } },
    { node_type: 'generic', node_name: 'db-2', address: 'b', region: 'us', custom_labels: { team: 'dba' } },
  ]);
  expect(read(text, 'type=generic', 'region=eu').objects[0]?.given).toEqual({ node_name: 'db-1', address: 'a' });
  // Of the fields of another type, none are given.
  const services = 'service_name,service_type\na,mysql\nb,external\n';
  expect(objectsIn(services, 'group=redis', 'node_type=generic')).toEqual([
    { service_name: 'a', service_type: 'mysql' },
    { service_name: 'b', service_type: 'external', group: 'redis' },
  ]);
  expect(() => defaultsOf(['colour=red'])).toThrow(usage(/no object has a field colour/));
  expect(() => defaultsOf(['region'])).toThrow(usage(/no field=value/));
});

test('the header determines the kind before default types, which may belong to several tables', () => {
  const types = ['node_type=generic', 'service_type=mysql', 'agent_type=external_exporter'];
  const kindIn = (text: string) => read(text, ...types).kind;
  expect(kindIn('node_name,address\na,b\n')).toBe('node');
  expect(kindIn('service_name,node_names,address,port\na,b,c,1\n')).toBe('service');
  expect(kindIn('runs_on_node_name,listen_port\na,1\n')).toBe('agent');
});

test("values have their fields' types, and an empty cell gives none", () => {
  const text =
    'agent_type,runs_on_node_name,insights.service_names,disabled,listen_port,metrics_resolutions.hr,disable_collectors,log_level\n' +
    'mysqld_exporter,db-1,"orders, pay",TRUE,42000,5s,"a,b",\n';
  expect(objectsIn(text)).toEqual([
    {
      ...{ agent_type: 'mysqld_exporter', runs_on_node_name: 'db-1', insights: { service_names: ['orders', 'pay'] } },
      ...{ disabled: true, listen_port: 42_000, metrics_resolutions: { hr: '5s' }, disable_collectors: ['a', 'b'] },
    },
  ]);
});

test('a cell that was written for a spreadsheet regains its text', () => {
  expect(objectsIn(`node_name,label.x\n${withoutFormula('-a')},${withoutFormula('=1')}\n`)).toEqual([
    { node_name: '-a', custom_labels: { x: '=1' } },
  ]);
});

test('all errors are named, each with its line and column', () => {
  const text = 'service_name,colour,port,node_names,auto_discovery_limit\nx,,y,db-1,1\nz,,1,db-1,many\n';
  expect(() => read(text)).toThrow(
    usage(
      /^hosts\.csv:1:2 colour: No field of a service\..*\nhosts\.csv:2:3 port is a number, not: y\nhosts\.csv:3:5 auto_discovery_limit is a number/,
    ),
  );
});

test.each([
  ['name,address\nx,y\n', /^hosts\.csv:1 The kind of the objects is unknown: .* or --default type=generic\.$/],
  ['node_name,region,region\nx,,\n', /^hosts\.csv:1:3 region: Duplicate\./],
  ['node_name,name\nx,\n', /^hosts\.csv:1:2 name: Duplicate\./],
  ['node_name,\nx,y\n', /^hosts\.csv:1:2 The column has no name\./],
  ['service_name,node_ids\nx,y\n', /^hosts\.csv:1:2 node_ids: Give names: node_names\./],
  ['agent_type,pmm_agent_id\nx,y\n', /Give names: runs_on_node_name\./],
])('%j is refused', (text, message) => expect(() => read(text)).toThrow(usage(message)));

test('the types of rows determine the kind, also when the first is wrong', () => {
  expect(read('name,type,port\na,mysqld,1\nb,mysql,2\n').kind).toBe('service');
});

test('server columns, and empty trailing ones, are omitted', () => {
  const text = 'node_name,node_id,state,created_at,revision,,\nx,id,live,2026-01-01,3,,\n';
  expect(objectsIn(text)).toEqual([{ node_name: 'x' }]);
  for (const items of ['nodes', 'services', 'agents'] as const) {
    // Each column of `get -o csv` is a field, or is left out; the first are those that say the kind.
    const head = (layoutOf(items).wide ?? []).filter((column) => !['custom_labels', 'insights'].includes(column));
    expect([
      items,
      read(
        `${head.join()},insights.node_names,insights.service_names`.replace(
          items === 'agents' ? '' : ',insights.node_names,insights.service_names',
          '',
        ),
      ).kind,
    ]).toEqual([items, items.slice(0, -1)]);
  }
  expect(Object.keys(lists)).toContain('agents');
});

test('the place of a field is its column, or the start of the line without one', () => {
  const [row] = read('node_name,label.team,region\nx,a,b\n').objects;
  expect(['region', 'custom_labels.team', 'address', ''].map((field) => row?.placeOf(field))).toEqual([
    ...['hosts.csv:2:3', 'hosts.csv:2:2', 'hosts.csv:2:1', 'hosts.csv:2:1'],
  ]);
});

import { databaseIn, hasField, keyOf } from './pods.ts';

const labels = (operator: string, component: string) => ({
  'app.kubernetes.io/managed-by': operator,
  'app.kubernetes.io/component': component,
});

/** A pod of the operator for XtraDB with these changes. */
const pod = ({ metadata = {}, status = {} }: { metadata?: object; status?: object } = {}) => ({
  metadata: { namespace: 'prod', name: 'a-0', labels: labels('percona-xtradb-cluster-operator', 'pxc'), ...metadata },
  status: { phase: 'Running', podIP: '10.0.0.1', ...status },
});

/** The database in a pod, and the warnings. */
function databaseAndWarnings(value: unknown) {
  const warnings: string[] = [];
  return [databaseIn(value, (message) => warnings.push(message)), ...warnings];
}

test.each([
  ['percona-server-mongodb-operator', 'mongod', 'mongodb', 27017],
  ['percona-server-mongodb-operator', 'mongos', 'mongodb', 27017],
  ['percona-server-mongodb-operator', 'cfg', 'mongodb', 27017],
  ['percona-server-mongodb-operator', 'nonVoting', 'mongodb', 27017],
  ['percona-server-mongodb-operator', 'hidden', 'mongodb', 27017],
  ['percona-xtradb-cluster-operator', 'pxc', 'mysql', 3306],
  ['percona-server-mysql-operator', 'database', 'mysql', 3306],
  ['percona-server-mysql-operator', 'mysql', 'mysql', 3306],
  ['percona-postgresql-operator', 'pg', 'postgresql', 5432],
])('a pod of %s with the component %s is a database', (operator, component, type, port) => {
  expect(databaseAndWarnings(pod({ metadata: { labels: labels(operator, component) } }))).toEqual([
    {
      ...{ namespace: 'prod', name: 'a-0', address: '10.0.0.1', type, port },
      ...{ cluster: undefined, replicationSet: undefined },
    },
  ]);
});

test('a database has the cluster and replication set of its labels, and an address once it is known', () => {
  const more = { 'app.kubernetes.io/instance': 'orders', 'app.kubernetes.io/replset': 'rs0' };
  const value = pod({ metadata: { labels: { ...pod().metadata.labels, ...more } }, status: { podIP: '' } });
  expect(databaseAndWarnings(value)).toMatchObject([{ cluster: 'orders', replicationSet: 'rs0', address: undefined }]);
});

test.each([
  ['text', 'pod'],
  ['a pod without a name', pod({ metadata: { name: '' } })],
  ['a pod without a namespace', pod({ metadata: { namespace: undefined } })],
  ['a pod that has succeeded', pod({ status: { phase: 'Succeeded' } })],
  ['a pod that has failed', pod({ status: { phase: 'Failed' } })],
  ['another component', pod({ metadata: { labels: labels('percona-xtradb-cluster-operator', 'haproxy') } })],
  ['a pod of no operator', pod({ metadata: { labels: {} } })],
])('%s is no database', (_, value) => expect(databaseAndWarnings(value)).toEqual([undefined]));

describe('annotations', () => {
  const annotated = (annotations: object) => databaseAndWarnings(pod({ metadata: { annotations } }));

  test.each([
    ['valkey', undefined, 6379],
    ['proxysql', undefined, 6032],
    ['external', undefined, undefined],
    ['mysql', '1', 1],
    ['mysql', '65535', 65_535],
  ])('name the type %s and the port %s', (type, port, expected) => {
    const given = { 'inventory/service-type': type, ...(port === undefined ? {} : { 'inventory/port': port }) };
    expect(annotated(given)).toMatchObject([{ type, port: expected }]);
  });

  test.each(['0', '65536', '1.5', 'http'])('refuse the port %s', (port) => {
    const warning = `prod/a-0: the annotation inventory/port is wrong: ${port}`;
    expect(annotated({ 'inventory/port': port })).toEqual([undefined, warning]);
  });

  test('refuse another type', () => {
    const warning = 'prod/a-0: the annotation inventory/service-type is wrong: oracle';
    expect(annotated({ 'inventory/service-type': 'oracle' })).toEqual([undefined, warning]);
  });
});

test('an object has the key of its namespace and name', () => {
  expect([pod(), { metadata: { name: 'a' } }, {}, undefined].map(keyOf)).toEqual(['prod/a-0', '/a', '/', '/']);
});

test('a service has the fields of its type', () => {
  expect([hasField('mysql', 'address'), hasField('external', 'address')]).toEqual([true, false]);
});

test('a value that is no text, or empty, is absent', () => {
  for (const value of [7, null, ''])
    expect(databaseAndWarnings(pod({ status: { podIP: value } }))).toMatchObject([{ address: undefined }]);
  for (const name of [7, null, '']) expect(databaseAndWarnings(pod({ metadata: { name } }))).toEqual([undefined]);
  expect(keyOf({ metadata: { namespace: 7, name: 'a-0' } })).toBe('/a-0');
});
